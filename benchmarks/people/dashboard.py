"""Pages of the dashboard, of a store with few orders and of one with many."""

import asyncio
import re
import urllib.request
from collections.abc import Awaitable, Callable

from comanda.web.sign_in.sessions import SESSION_COOKIE

from benchmarks.people import Row, Setting

ORDER_LINK = re.compile(rb"/orders/(\d+)")


def measure_page(path: str) -> Callable[[Setting], Awaitable[str]]:
    """Measure a page below the store's, in the store with many orders: the CPU and the statements of a view."""

    async def measure(setting: Setting) -> str:
        home = f"/dashboard/stores/{setting.busy_shop.id}"
        page = home + path
        if "{order}" in page:
            page = page.format(order=await asyncio.to_thread(_find_order, setting, home))
        requests = setting.get_page_requests(page)
        taken = await setting.measure_cpu_ms(requests)
        async with setting.statements() as counted:
            sent = await setting.send(requests, connections=1, seconds=1)
        of_a_page = len(counted.texts) / sent
        return f"{taken:.1f} ms, {of_a_page:.0f} statements"

    return measure


def _find_order(setting: Setting, home: str) -> str:
    request = urllib.request.Request(
        f"{setting.site_url}{home}/orders", headers={"Cookie": f"{SESSION_COOKIE}={setting.sessions[0]}"}
    )
    with urllib.request.urlopen(request) as response:
        found: list[bytes] = ORDER_LINK.findall(response.read())
    return max(found, key=int).decode()


ROWS = tuple(
    Row(f"dashboard, {name}, CPU", f"≤ {goal} ms", measure_page(path))
    for name, goal, path in (
        ("Today", 6, ""),
        ("orders", 5, "/orders"),
        ("an order", 5, "/orders/{order}"),
        ("reports", 5, "/reports"),
        ("live part of Today", 2, "/live"),
    )
)
