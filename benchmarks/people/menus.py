"""Menus after a change: of a price while many read them, and of the stock with every sale."""

import asyncio
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from statistics import median

import asyncpg

from benchmarks.people import Row, Setting
from benchmarks.world import copy_items

READERS, ROUNDS, SALES = 16, 5, 200
COUNTED, LARGE = 2000, 5000
# The stores of the world by what these rows make of them.
SMALL_SHOP, COUNTED_SHOP, LARGE_SHOP = 0, 18, 19
PAUSE_SECONDS = 0.005

COUNT_STOCK = "UPDATE core_store SET store_type = 'retail', menu_version = menu_version + 1 WHERE id = $1"
FILL_STOCK = "UPDATE core_menu_item SET stock = 1000000 WHERE store_id = $1"
SELL = """
    WITH sold AS (UPDATE core_menu_item SET stock = stock - 1
                  WHERE id = (SELECT id FROM core_menu_item WHERE store_id = $1 ORDER BY position, id
                              OFFSET $2::int % 2000 LIMIT 1))
    UPDATE core_store SET stock_version = stock_version + 1 WHERE id = $1
"""
CHANGE_PRICE = """
    WITH changed AS (UPDATE core_menu_item SET price_minor = price_minor + 1
                     WHERE id = (SELECT max(id) FROM core_menu_item WHERE store_id = $1))
    UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1
"""


def measure_after_sale(path: str) -> Callable[[Setting], Awaitable[str]]:
    """Measure the CPU of a read that follows a sale, without the sale's, in a store that counts stock."""

    async def measure(setting: Setting) -> str:
        store_id = await _prepare(setting, COUNTED_SHOP, COUNTED, counts_stock=True)
        url = _to_url(setting, path, COUNTED_SHOP)
        async with _connect(setting) as connection:
            taken = []
            for is_read in (True, False):
                before = setting.cpu_seconds()
                for sale in range(SALES):
                    await connection.execute(SELL, store_id, sale)
                    if is_read:
                        await _read(url)
                taken.append(setting.cpu_seconds() - before)
        return f"{(taken[0] - taken[1]) / SALES * 1000:.1f} ms"

    return measure


def measure_after_price(path: str, number: int, items: int = 0) -> Callable[[Setting], Awaitable[str]]:
    """Measure how long many readers wait for a menu of which a price has changed, and how long others do meanwhile."""

    async def measure(setting: Setting) -> str:
        store_id = await _prepare(setting, number, items)
        url, other = _to_url(setting, path, number), _to_url(setting, "/api/v1/menu/{id}", 1)
        waits, others = [], [0.0]
        async with _connect(setting) as connection:
            for _ in range(ROUNDS):
                await connection.execute(CHANGE_PRICE, store_id)
                readers = asyncio.gather(*(_read(url) for _ in range(READERS)))
                while not readers.done():
                    others.append(await _read(other))
                    await asyncio.sleep(PAUSE_SECONDS)
                waits.append(max(await readers))
        return f"{median(waits) * 1000:.0f} ms, others at most {max(others) * 1000:.0f} ms"

    return measure


async def _prepare(setting: Setting, number: int, items: int, *, counts_stock: bool = False) -> int:
    shop = setting.world.shops[number]
    async with _connect(setting) as connection:
        if items > await connection.fetchval("SELECT count(*) FROM core_menu_item WHERE store_id = $1", shop.id):
            await copy_items(setting.database_url, shop, items)
            await connection.execute("ANALYZE core_menu_item")
        if counts_stock:
            await connection.execute(FILL_STOCK, shop.id)
            await connection.execute(COUNT_STOCK, shop.id)
        else:
            await connection.execute(CHANGE_PRICE, shop.id)
    # Each of the processes reads it once.
    for path in ("/api/v1/menu/{id}", "/s/bench-{number}/menu"):
        await asyncio.gather(*(_read(_to_url(setting, path, number)) for _ in range(READERS)))
    return shop.id


@asynccontextmanager
async def _connect(setting: Setting) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(setting.database_url)
    try:
        yield connection
    finally:
        await connection.close()


def _to_url(setting: Setting, path: str, number: int) -> str:
    return setting.site_url + path.format(id=setting.world.shops[number].id, number=number)


async def _read(url: str) -> float:
    """Read a page and return the seconds that it took."""
    began_at = time.perf_counter()
    await asyncio.to_thread(_open, url)
    return time.perf_counter() - began_at


def _open(url: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})) as response:
        response.read()


MENU, PAGE = "/api/v1/menu/{id}", "/s/bench-{number}/menu"
ROWS = (
    Row("menu read after each sale, 2,000 items, CPU", "≤ 2 ms", measure_after_sale(MENU)),
    Row("page read after each sale, 2,000 items, CPU", "≤ 3 ms", measure_after_sale(PAGE)),
    Row("a price changes, 16 readers of 50 items' page", "≤ 35 ms", measure_after_price(PAGE, SMALL_SHOP)),
    Row("a price changes, 16 readers of 5,000 items' menu", "≤ 120 ms", measure_after_price(MENU, LARGE_SHOP, LARGE)),
    Row(
        "a price changes, 16 readers of 5,000 items' page",
        "≤ 800 ms, others ≤ 50 ms",
        measure_after_price(PAGE, LARGE_SHOP, LARGE),
    ),
)
