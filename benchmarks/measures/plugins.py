"""What plugins cost that nobody uses: all of them installed, beside a restaurant's alone."""

from comanda.composition import plugin_loader

from benchmarks import processes
from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, AT_MOST, Finding

WORK = "order of 3 lines"
NEEDED = frozenset({"restaurant", "drivers", "food", "item_times", "notifications"})
RATE_OF_RESTAURANT_ALONE = 0.95
MORE_MEMORY = 1.5
CONNECTIONS = 8


async def measure(bench: Bench) -> None:
    """Place orders with and without the plugins that no restaurant needs, then compare what the processes hold."""
    few_url = await bench.cluster.create("bench_plugins_few", template="bench")
    all_url = await bench.cluster.create("bench_plugins_all", template="bench")
    unused = ",".join(point.name for point in plugin_loader.discover() if point.name not in NEEDED)
    requests = [bench.world.order_request(shop) for shop in bench.world.shops]
    path = f"/api/v1/menu/{bench.world.shops[0].id}"
    with (
        bench.comanda(few_url, COMANDA_DISABLED_PLUGINS=unused) as (few, few_port),
        bench.comanda(all_url) as (every, every_port),
    ):
        await few.answers(few_port, path)
        await every.answers(every_port, path)
        programs = [
            Program("every plugin", every, every_port, requests, all_url),
            Program("restaurant alone", few, few_port, requests, few_url),
        ]
        found = await bench.compare(WORK, programs, CONNECTIONS, [few_url, all_url])
        memory = [processes.memory_mib(child.pid)[1] for child in (every, few)]
    bench.report.findings += [
        Finding.of_rounds(
            f"{WORK}, every plugin beside restaurant alone", "/s",
            found["every plugin"].rates, found["restaurant alone"].rates, AT_LEAST, RATE_OF_RESTAURANT_ALONE,
        ),
        Finding.of_rounds(
            "memory after orders (PSS), every plugin beside restaurant alone", "MiB",
            memory[:1], memory[1:], AT_MOST, MORE_MEMORY,
        ),
        await _starts(bench, all_url, path, unused),
    ]  # fmt: skip


async def _starts(bench: Bench, url: str, path: str, unused: str) -> Finding:
    """Start both in turn on a database that runs, and take the times to the first answer."""
    seconds: dict[str, list[float]] = {"": [], unused: []}
    for _ in range(bench.pace.rounds):
        for disabled, taken in seconds.items():
            began_at = processes.now()
            with bench.comanda(url, COMANDA_DISABLED_PLUGINS=disabled) as (child, port):
                taken.append(await child.answers(port, path) - began_at)
    return Finding.of_rounds(
        "start to first answer, every plugin beside restaurant alone", "s", seconds[""], seconds[unused], AT_MOST, 1.5
    )
