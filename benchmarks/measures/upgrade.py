"""An upgrade of all machines, one after another, while orders are placed: the new version brings a migration.

The version is that of a plugin, the example of the florist: once as it is, once with two more migrations.
"""

import asyncio
import shutil
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks import machines, network
from benchmarks.bench import Bench
from benchmarks.findings import AT_MOST, Finding
from benchmarks.machines import Machines
from benchmarks.measures.nodes import judge, report
from benchmarks.network import Node
from benchmarks.patient_clients import Clients
from benchmarks.processes import Child, ProcessFailed
from benchmarks.slow_receiver import SlowReceiver

PLUGIN = Path(__file__).parents[2] / "examples" / "florist" / "src" / "comanda_florist"
METADATA = "Metadata-Version: 2.1\nName: comanda-florist\nVersion: {version}\nRequires-Dist: comanda-core\n"
ENTRY_POINT = "[comanda.plugins]\nflorist = comanda_florist.plugin\n"
MIGRATIONS = {
    "1_20260301000000_ribbon.py": (
        True,
        """ALTER TABLE florist_occasion ADD COLUMN ribbon varchar(20) NOT NULL DEFAULT 'none';
        ALTER TABLE core_order ADD COLUMN ribbon varchar(20);""",
    ),
    "2_20260301000100_ribbon_index.py": (
        False,
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS core_order_by_ribbon ON core_order (ribbon, owner_id);",
    ),
}
MIGRATION = """\
RUN_IN_TRANSACTION = {is_transaction}


async def upgrade(db):
    return {sql!r}


MODELS_STATE = {state}
"""
STOP_SECONDS = 30
ORDERS_PER_SECOND = 60
COMMAND_SECONDS = 60


async def measure(bench: Bench) -> None:
    """Migrate, then restart each machine with the new version, and look at the books."""
    async with machines.create_machines() as (made, world):
        old, new = (_install(made.folder, version) for version in ("1.0", "2.0"))
        children: dict[Node, Child] = {}
        with ExitStack() as stack:
            for node in [*made.web, *made.workers]:
                children[node] = stack.enter_context(made.start(node, PYTHONPATH=str(old)))
            await machines.wait_until_ready(made)
            async with (
                SlowReceiver(network.HOST_ADDRESS) as receiver,
                Clients(made.site, world, orders_per_second=ORDERS_PER_SECOND) as clients,
            ):
                receiver.secret = await clients.create_endpoint(receiver.url)
                clients.begin("warm-up")
                await asyncio.sleep(2 * bench.pace.seconds)
                phase = clients.begin("rolling upgrade")
                await _migrate(made, new)
                for node, child in children.items():
                    began = time.monotonic()
                    if code := await child.terminate(STOP_SECONDS):
                        raise ProcessFailed(f"a process of the old version ended with {code}: {child.last_words()}")
                    stopped = time.monotonic()
                    stack.enter_context(made.start(node, PYTHONPATH=str(new)))
                    if node in made.web:
                        await machines.wait_for_port(node.address, machines.PORT)
                    bench.say(f"stopped in {stopped - began:.1f} s, started in {time.monotonic() - stopped:.1f} s")
                    await asyncio.sleep(2 * bench.pace.seconds)
                await clients.finish_phase()
                await clients.stop()
                report(bench, "upgrade", phase, 0.0)
                for kind, problems in phase.attempts.items():
                    finding = Finding(f"upgrade: repeats of {kind}", "", problems.total(), AT_MOST, MAX_REPEATS)
                    bench.report.findings.append(finding)
                await judge(bench, "upgrade", made.url, clients, receiver)


# A connection may be closed in the moment in which a request is on its way; the balancer or the client repeats it.
MAX_REPEATS = 5


async def _migrate(made: Machines, version: Path) -> None:
    with made.run(made.workers[0], "migrate", PYTHONPATH=str(version)) as child:
        if await child.wait(COMMAND_SECONDS):
            raise ProcessFailed(f"the migration failed: {child.last_words()}")


def _install(folder: Path, version: str) -> Path:
    """Install a version of the plugin in a folder for ``PYTHONPATH``."""
    place = folder / f"florist-{version}"
    shutil.copytree(PLUGIN, place / PLUGIN.name, ignore=shutil.ignore_patterns("__pycache__"))
    information = place / f"comanda_florist-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(METADATA.format(version=version))
    (information / "entry_points.txt").write_text(ENTRY_POINT)
    if version != "1.0":
        first = next((place / PLUGIN.name / "migrations").glob("0_*.py"))
        state = first.read_text().partition("MODELS_STATE = ")[2]
        for name, (is_transaction, sql) in MIGRATIONS.items():
            text = MIGRATION.format(is_transaction=is_transaction, sql=sql, state=state)
            first.with_name(name).write_text(text)
    return place
