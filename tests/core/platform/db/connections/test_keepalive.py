"""Connections whose other side has disappeared end within seconds."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack

import asyncpg
import pytest
from comanda.devkit.testing.polling import await_condition
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.db.connections import keepalive
from comanda.platform.db.connections.keepalive import KeepaliveConnection
from comanda.platform.db.connections.modes import ConnectionMode, get_session_options
from comanda.platform.db.lifecycle import parse_credentials
from comanda.platform.tasks.broker import create_broker

SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
IP = shutil.which("ip", path=SEARCH_PATH)
NAMESPACE = f"comanda-keepalive-{os.getpid()}"
LINK = f"cka{os.getpid() % 1_000_000}"
# Reserved for benchmarks of networks (RFC 2544), so that no real machine is hidden.
SUBNET = f"198.18.{128 + os.getpid() % 64}"
HERE, THERE = f"{SUBNET}.1", f"{SUBNET}.2"
# Passes what comes on a TCP port on to the server of the tests.
FORWARD = """
import asyncio, sys
host, port, target, target_port = sys.argv[1:]

async def pipe(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()

async def forward(reader, writer):
    if target.startswith("/"):
        others = await asyncio.open_unix_connection(f"{target}/.s.PGSQL.{target_port}")
    else:
        others = await asyncio.open_connection(target, int(target_port))
    await asyncio.gather(pipe(reader, others[1]), pipe(others[0], writer), return_exceptions=True)

async def main():
    async with await asyncio.start_server(forward, host, int(port)) as server:
        print("listening", flush=True)
        await server.serve_forever()

asyncio.run(main())
"""


def start_forwarder(stack, database_url, host, *, command=()):
    """Start a server that passes connections on to the database; return the arguments of a connection to it."""
    target, port = parse_credentials(database_url), find_free_port()
    arguments = [*command, sys.executable, "-c", FORWARD, host, str(port), target["host"], str(target["port"])]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    stack.callback(process.stdout.close)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    assert process.stdout.readline() == "listening\n"
    return {**target, "host": host, "port": port}


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no TCP_USER_TIMEOUT")
async def test_connections_of_a_pool_look_for_their_server(database_url):
    with ExitStack() as stack:
        target = start_forwarder(stack, database_url, "127.0.0.1")
        options = get_session_options(ConnectionMode.DIRECT, {})
        connection = await asyncpg.connect(**target, **options)
        sock = connection._transport.get_extra_info("socket")
        found = {option: sock.getsockopt(socket.IPPROTO_TCP, option) for option in keepalive.SOCKET_OPTIONS}
        limits = await connection.fetch("SELECT name, reset_val FROM pg_settings WHERE name LIKE 'tcp\\_%'")
        await connection.close()

    assert found == keepalive.SOCKET_OPTIONS
    assert sock.family == socket.AF_INET
    assert {row["name"]: row["reset_val"] for row in limits} == keepalive.SERVER_SETTINGS


async def test_connections_over_unix_sockets_need_none(database_url):
    connection = await asyncpg.connect(**parse_credentials(database_url), connection_class=KeepaliveConnection)
    sock = connection._transport.get_extra_info("socket")
    looks = sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0
    is_local = sock.family == socket.AF_UNIX
    await connection.close()

    assert looks != is_local


def test_connections_to_redis_look_for_their_server():
    broker = create_broker("redis://redis.example:6379", {})

    assert broker.connection_pool.connection_kwargs["socket_keepalive_options"] == keepalive.SOCKET_OPTIONS


def configure(*arguments):
    subprocess.run([IP, *arguments], check=True, capture_output=True)


@pytest.fixture
def other_machine():
    """A network namespace as another machine, joined by a link; yield the command that runs something there."""
    with ExitStack() as stack:
        configure("netns", "add", NAMESPACE)
        stack.callback(configure, "netns", "del", NAMESPACE)
        configure("link", "add", LINK, "type", "veth", "peer", "name", "eth0", "netns", NAMESPACE)
        # A namespace takes its time to be gone, and with it its side of the link.
        stack.callback(configure, "link", "del", LINK)
        configure("addr", "add", f"{HERE}/30", "dev", LINK)
        configure("link", "set", LINK, "up")
        configure("-n", NAMESPACE, "addr", "add", f"{THERE}/30", "dev", "eth0")
        configure("-n", NAMESPACE, "link", "set", "eth0", "up")
        yield IP, "netns", "exec", NAMESPACE


@pytest.mark.skipif(IP is None or os.geteuid() != 0, reason="only root with iproute2 can cut a link between machines")
@pytest.mark.parametrize("is_waiting", [True, False], ids=["waiting for a result", "idle"])
async def test_a_connection_ends_when_its_link_is_cut(database_url, other_machine, monkeypatch, is_waiting):
    quick = {socket.TCP_KEEPIDLE: 1, socket.TCP_KEEPINTVL: 1, socket.TCP_KEEPCNT: 1, socket.TCP_USER_TIMEOUT: 500}
    monkeypatch.setattr(keepalive, "SOCKET_OPTIONS", quick)
    with ExitStack() as stack:
        target = start_forwarder(stack, database_url, THERE, command=other_machine)
        # On a busy machine the link is up some time after it was set up.
        connection = await await_condition(
            lambda: asyncpg.connect(**target, connection_class=KeepaliveConnection, ssl=False), "the other machine"
        )
        ended = asyncio.Event()
        connection.add_termination_listener(lambda _: ended.set())

        configure("-n", NAMESPACE, "link", "set", "eth0", "down")
        async with asyncio.timeout(120):
            if is_waiting:
                with pytest.raises((OSError, asyncpg.PostgresConnectionError)):
                    await connection.fetchval("SELECT 1")
            else:
                await ended.wait()

        connection.terminate()
