"""``python -m benchmarks [names…]``: measure, print the ratios, and keep them if asked."""

import asyncio
import json
import os
import platform
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from comanda.operations.embedded.server import EmbeddedPostgresError
from rich.console import Console

from benchmarks import cluster, world
from benchmarks.bench import FULL, QUICK, Bench, Pace
from benchmarks.cluster import Cluster, NotDurable
from benchmarks.findings import Report
from benchmarks.measures import (
    amendments,
    analytics,
    backlog,
    dashboard,
    engines,
    footprint,
    fuzz,
    mcp,
    menu,
    migration,
    mishaps,
    nodes,
    order_list,
    orders,
    overload,
    partitions,
    people,
    plugins,
    production,
    soak,
    stores,
    tenants,
    upgrade,
    webhooks,
)
from benchmarks.processes import ProcessFailed, ended_by_sigterm

MEASURES: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "orders": orders.measure,
    "amendments": amendments.measure,
    "overload": overload.measure,
    "menu": menu.measure,
    "lists": order_list.measure,
    "webhooks": webhooks.measure,
    "backlog": backlog.measure,
    "mcp": mcp.measure,
    "stores": stores.measure,
    "analytics": analytics.measure,
    "dashboard": dashboard.measure,
    "people": people.measure,
    "production": production.measure,
    "engines": engines.measure,
    "plugins": plugins.measure,
    "memory": footprint.measure_memory,
    "start": footprint.measure_cold_start,
}
# Rehearsals take long, or root's rights, so they run only when they are named.
REHEARSALS: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "fuzz": fuzz.measure,
    "migration": migration.measure,
    "mishaps": mishaps.measure,
    "nodes": nodes.measure,
    "partitions": partitions.measure,
    "soak": soak.measure,
    "tenants": tenants.measure,
    "upgrade": upgrade.measure,
}
DOCUMENT = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- {} begin -->", "<!-- {} end -->"


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*MEASURES, *REHEARSALS]))
@click.option("--quick", is_flag=True, help="Short rounds, to see that everything runs; the figures mean little.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the results to this file too.")
@click.option("--record", is_flag=True, help="Put the results into docs/benchmarks.md.")
def main(names: Sequence[str], quick: bool, json_file: Path | None, record: bool) -> None:
    """Measure Comanda beside its floors. Ends with 1 if something could not run, never for a missed budget."""
    console = Console(width=None if Console().is_terminal else 140)
    with ended_by_sigterm():
        try:
            report = asyncio.run(_run(names or list(MEASURES), QUICK if quick else FULL, console))
        except (NotDurable, EmbeddedPostgresError) as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            raise click.Abort from None
    report.print(console)
    if json_file is not None:
        json_file.write_text(json.dumps(report.as_json(), indent=2) + "\n")
    if record:
        _record(report)
    if report.failures:
        raise SystemExit(1)


async def _run(names: Sequence[str], pace: Pace, console: Console) -> Report:
    began_at = time.monotonic()
    with cluster.folder() as data, _running(data) as server:
        version = await server.version()
        report = Report(
            {
                "cores": str(os.cpu_count()),
                "machine": platform.machine(),
                "Python": platform.python_version(),
                "PostgreSQL": f"{version}, durable",
                "load average before": f"{os.getloadavg()[0]:.1f}",
            }
        )
        made = await world.build(await server.create("bench"))
        bench = Bench(server, made, pace, report, console)
        for name in names:
            try:
                await (MEASURES | REHEARSALS)[name](bench)
            except ProcessFailed as error:
                report.failures[name] = str(error)
    console.print(f"took {time.monotonic() - began_at:.0f} s", style="dim")
    return report


@contextmanager
def _running(data: Path) -> Iterator[Cluster]:
    cluster.open_to_tcp(data)
    with cluster.running(data) as server:
        yield server


def _record(report: Report) -> None:
    for name, text in report.as_sections().items():
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = DOCUMENT.read_text().partition(begin)
        DOCUMENT.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}")


if __name__ == "__main__":
    main()
