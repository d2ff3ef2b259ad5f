"""``python -m benchmarks.simulation``: how many machines a rate of orders needs, extrapolated from one machine.

Orders arrive at random. Each takes CPU of a web process, then its turn in its store, because the tally that numbers a
store's orders is locked until the commit, and CPU of the database that holds its owner. Menu views and background work
take their CPU beside that. Web machines and databases are added until 99 of 100 orders are answered in time and no
machine is busier than it should be.

Nothing else is modelled: networks are taken to be fast, disks to keep up with the log, and the rates to be even over
the day's peak. More than one database means that owners are spread over them, each alone on one.
"""

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import click
from rich.console import Console
from rich.table import Table

RATES = (10, 100, 1_000, 10_000)
SECONDS = 10
MAX_P99_MS = 250.0
MAX_UTILIZATION = 0.6
MAX_MACHINES = 10_000


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds of CPU that were measured of one order and one menu view, and how long an order locks its store."""

    order_web: float = 0.9
    order_worker: float = 0.2
    order_database: float = 1.0
    menu_web: float = 0.33
    menu_database: float = 0.07
    store_lock: float = 2.0


@dataclass(frozen=True, slots=True)
class Workload:
    """Orders a second, menu views for each of them, and how many stores they go to; few stores get most orders."""

    rate: float
    menus_per_order: float = 20.0
    stores: int = 10_000
    skew: float = 0.6


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines with so many cores each: for web processes and workers, and for databases."""

    web: int = 1
    databases: int = 1
    cores: int = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """How busy the machines are, as a share of their cores, and how long orders take."""

    web_utilization: float
    database_utilization: float
    p50_ms: float
    p99_ms: float

    @property
    def is_good(self) -> bool:
        """Whether orders are answered in time with room to spare."""
        busiest = max(self.web_utilization, self.database_utilization)
        return busiest <= MAX_UTILIZATION and self.p99_ms <= MAX_P99_MS


class Station:
    """Cores that take work in the order in which it comes."""

    def __init__(self, cores: int) -> None:
        self._free_at = [0.0] * cores

    def serve(self, arrived_at: float, seconds: float) -> float:
        """Return when work that arrives at ``arrived_at`` is done."""
        done_at = max(arrived_at, heapq.heappop(self._free_at)) + seconds
        heapq.heappush(self._free_at, done_at)
        return done_at


def simulate(load: Workload, machines: Machines, costs: Costs, seed: int = 1) -> Outcome:
    """Place the orders of some seconds."""
    chance = random.Random(seed)
    web_cpu = load.rate * (costs.order_web + costs.order_worker + load.menus_per_order * costs.menu_web) / 1000
    database_cpu = load.rate * (costs.order_database + load.menus_per_order * costs.menu_database) / 1000
    web_utilization = web_cpu / (machines.web * machines.cores)
    database_utilization = database_cpu / (machines.databases * machines.cores)
    if max(web_utilization, database_utilization) >= 1:
        return Outcome(web_utilization, database_utilization, float("inf"), float("inf"))
    # What else the cores do makes each work of an order take longer.
    order_share_of_web = load.rate * costs.order_web / 1000 / (machines.web * machines.cores)
    order_share_of_database = load.rate * costs.order_database / 1000 / (machines.databases * machines.cores)
    web_seconds = costs.order_web / 1000 / (1 - (web_utilization - order_share_of_web))
    database_seconds = costs.order_database / 1000 / (1 - (database_utilization - order_share_of_database))
    web = Station(machines.web * machines.cores)
    databases = [Station(machines.cores) for _ in range(machines.databases)]
    store_free_at: dict[int, float] = {}
    weights = list(accumulate((number + 1) ** -load.skew for number in range(load.stores)))
    moment, begun = 0.0, []
    while (moment := moment + chance.expovariate(load.rate)) < SECONDS:
        store = chance.choices(range(load.stores), cum_weights=weights)[0]
        begun.append((web.serve(moment, chance.expovariate(1 / web_seconds)), moment, store))
    times = []
    for arrived_at, asked_at, store in sorted(begun):
        turn_at = max(arrived_at, store_free_at.get(store, 0.0))
        store_free_at[store] = turn_at + costs.store_lock / 1000
        done_at = databases[store % machines.databases].serve(turn_at, chance.expovariate(1 / database_seconds))
        times.append(max(done_at, store_free_at[store]) - asked_at)
    return Outcome(web_utilization, database_utilization, *(_percentile(times, each) * 1000 for each in (0.5, 0.99)))


def find_machines(load: Workload, costs: Costs) -> tuple[Machines, Outcome]:
    """Return as few machines as do the work, beginning with one of each kind. Raises ``ValueError`` if none would."""
    machines = Machines()
    while machines.web + machines.databases < MAX_MACHINES:
        outcome = simulate(load, machines, costs)
        if outcome.is_good:
            return machines, outcome
        if outcome.web_utilization > MAX_UTILIZATION:
            machines = replace(machines, web=machines.web + 1)
        elif outcome.database_utilization > MAX_UTILIZATION:
            machines = replace(machines, databases=machines.databases + 1)
        else:
            break
    raise ValueError(f"More machines do not help with {load.rate} orders a second: some store has too many of them.")


def _percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


@click.command()
@click.option("--rate", "rates", type=float, multiple=True, default=RATES, help="Orders a second at the peak.")
@click.option("--menus", type=float, default=20.0, show_default=True, help="Menu views for each order.")
@click.option("--stores", type=click.IntRange(1), default=10_000, show_default=True)
def main(rates: Sequence[float], menus: float, stores: int) -> None:
    """Print how many machines of eight cores each rate needs."""
    table = Table(title="Machines of 8 cores")
    for head in ("orders/s", "web and workers", "databases", "web busy", "database busy", "p50 ms", "p99 ms"):
        table.add_column(head, justify="right")
    for rate in rates:
        try:
            machines, found = find_machines(Workload(rate, menus, stores), Costs())
        except ValueError as error:
            raise click.ClickException(str(error)) from error
        table.add_row(
            f"{rate:,.0f}", str(machines.web), str(machines.databases), f"{found.web_utilization:.0%}",
            f"{found.database_utilization:.0%}", f"{found.p50_ms:.1f}", f"{found.p99_ms:.1f}",
        )  # fmt: skip
    Console().print(table)


if __name__ == "__main__":
    main()
