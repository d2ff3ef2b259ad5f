"""Three times the orders that the server can take, sent at their time whether or not earlier ones were answered."""

from statistics import median

from benchmarks.bench import Bench, drained
from benchmarks.findings import AT_LEAST, Detail, Finding
from benchmarks.processes import Child, ProcessFailed, cpu_seconds

WORK = "orders at three times the capacity"
OVERLOAD = 3
SHARE_OF_CAPACITY = 0.9
CONNECTIONS = 32
# The queue fills up in two seconds; what comes after is what is measured.
SECONDS_PER_ROUND_SECOND = 5


async def measure(bench: Bench) -> None:
    """Compare the orders placed under overload with those placed by clients that wait for their answers."""
    url = await bench.cluster.create("bench_overload", template="bench")
    request = [bench.world.order_request(bench.world.shops[0])]
    seconds = bench.pace.seconds * SECONDS_PER_ROUND_SECOND
    # Connections shall not be what limits the load.
    open_connections = {"COMANDA_MAX_CONNECTIONS_PER_ADDRESS": "0", "COMANDA_MAX_CONNECTIONS": "8000"}
    capacities, goodputs, rounds = [], [], []
    with bench.comanda(url, **open_connections) as (ours, port), bench.child("load") as load:
        await ours.answers(port, f"/api/v1/menu/{bench.world.shops[0].id}")
        await load.ask(port=port, connections=CONNECTIONS, seconds=bench.pace.warm_up, requests=request)
        for number in range(bench.pace.rounds):
            bench.say(f"{WORK}: round {number + 1}")
            steady = await load.ask(port=port, connections=CONNECTIONS, seconds=bench.pace.seconds, requests=request)
            await drained(url)
            before, database_before = cpu_seconds(ours.pid), cpu_seconds(bench.cluster.postmaster)
            with bench.child("open_load") as child:
                found = await _overload(child, port, steady["rate"] * OVERLOAD, seconds, request)
            await drained(url)
            database_cpu = cpu_seconds(bench.cluster.postmaster) - database_before
            found["database_cpu_ms"] = database_cpu / found["requests"] * 1000
            found["cpu_ms"] = (cpu_seconds(ours.pid) - before + database_cpu) / found["requests"] * 1000
            bench.say(f"capacity {steady['rate']:.0f}/s, {found}")
            capacities.append(steady["rate"])
            goodputs.append(found["rate"])
            rounds.append(found)
    bench.report.details.append(
        Detail(
            WORK,
            f"ours, of {median(found['requests'] for found in rounds):,.0f} sent",
            int(max(found["connections"] for found in rounds)),
            rates=goodputs,
            p50s_ms=[found["p50_ms"] for found in rounds],
            p99s_ms=[found["p99_ms"] for found in rounds],
            cpus_ms=[found["cpu_ms"] for found in rounds],
            database_cpus_ms=[found["database_cpu_ms"] for found in rounds],
        )
    )
    bench.report.findings.append(
        Finding.of_rounds(f"{WORK}, placed", "/s", goodputs, capacities, AT_LEAST, SHARE_OF_CAPACITY)
    )


async def _overload(child: Child, port: int, rate: float, seconds: float, request: list[str]) -> dict[str, float]:
    found = await child.ask(port=port, rate=rate, seconds=seconds, requests=request)
    if found["failed"] or found["unsent"]:
        raise ProcessFailed(f"{WORK}: {found['failed']} of {found['requests']} failed, {found['unsent']} were not sent")
    return found
