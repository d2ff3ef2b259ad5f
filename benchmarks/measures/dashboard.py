"""Pages of the dashboard of a store with 100,000 orders and 5,000 items: the time of each and its weight."""

import re
import time
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import cycle
from statistics import median

from comanda.accounts import web_sessions
from comanda.web.sign_in.sessions import SESSION_COOKIE

from benchmarks.bench import Bench
from benchmarks.cluster import execute
from benchmarks.findings import AT_MOST, Finding
from benchmarks.measures.analytics import wait_until_aggregated
from benchmarks.processes import ProcessFailed
from benchmarks.world import ORDER_SPACING, comanda, copy_items, seed_orders

ORDERS = 100_000
ITEMS = 5_000
TIME_MS = 100
WEIGHT_KB = 100
ROUNDS = 7
# One person may not open so many pages a minute.
SESSIONS = 5
TIMEOUT_SECONDS = 30
LINK = re.compile(rb'href="(/dashboard[^"#]*)"')
# Files, other stores, and orders, of which only the newest have lines.
LEFT_OUT = re.compile(r"/files/|/stores/\d+$|/orders/\d")
# Below the store's page: what the navigation does not name, or names without its filters.
OTHERS = (
    "/orders?status=completed",
    "/orders?search=Guest+77",
    "/orders?search=Guest+77&from=2020-01-01",
    "/orders/board",
    "/orders/new",
    "/menu?search=number+7",
    "/menu/prices",
)


async def measure(bench: Bench) -> None:
    """Open each page of the owner's navigation, and the searches, one request at a time."""
    url = await bench.cluster.create("bench_dashboard", template="bench")
    shop = bench.world.shops[0]
    bench.say(f"dashboard: putting {ORDERS:,} orders and {ITEMS:,} items into a store")
    await seed_orders(url, bench.world, ORDERS, datetime.now(UTC) - ORDERS * ORDER_SPACING)
    await copy_items(url, shop, ITEMS)
    async with comanda(url):
        made = [await web_sessions.create_session(owner_id=bench.world.owner_id) for _ in range(SESSIONS)]
    await execute(url, "ANALYZE")
    with bench.comanda(url) as (child, port):
        await child.answers(port, "/healthz")
        pages = _Pages(port, [secret for secret, _ in made])
        home = f"/dashboard/stores/{shop.id}"
        links = [link.decode() for link in LINK.findall(pages.get(home))]
        paths = dict.fromkeys(
            [home, *(link for link in links if not LEFT_OUT.search(link)), *(home + path for path in OTHERS)]
        )
        await wait_until_aggregated(url)
        weights = {path: len(zlib.compress(pages.get(path), 6)) / 1000 for path in paths}
        times = {path: median(pages.time(path) for _ in range(ROUNDS)) for path in paths}
    for path in sorted(times, key=times.__getitem__, reverse=True):
        bench.say(f"{times[path]:7.1f} ms {weights[path]:6.1f} kB  {path}")
    slowest, heaviest = max(times, key=times.__getitem__), max(weights, key=weights.__getitem__)
    bench.report.findings += [
        Finding(f"slowest of {len(times)} pages, {slowest}", "ms", times[slowest], AT_MOST, TIME_MS),
        Finding(f"heaviest of {len(times)} pages, {heaviest}", "kB", weights[heaviest], AT_MOST, WEIGHT_KB),
    ]


class _Pages:
    """Reads pages over one connection, in several sessions in turn."""

    def __init__(self, port: int, secrets: Sequence[str]) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        self._secrets = cycle(secrets)

    def get(self, path: str) -> bytes:
        """Return the HTML of a page. Raises ``ProcessFailed`` for any status but 200."""
        self._connection.request("GET", path, headers={"Cookie": f"{SESSION_COOKIE}={next(self._secrets)}"})
        response = self._connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise ProcessFailed(f"{path} answered {response.status}")
        return text

    def time(self, path: str) -> float:
        """Return the milliseconds from the request to the end of the page."""
        began = time.perf_counter()
        self.get(path)
        return (time.perf_counter() - began) * 1000
