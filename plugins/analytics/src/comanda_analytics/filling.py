"""Counts the orders that no event will tell of: those from before this plugin, and all of a store that moved its clock.

It goes through a store's orders by id, a slice at a time, and keeps in the store's row how far it came. Between slices
events are followed as ever, and processes take turns; a process that dies leaves the rest to the next one.
"""

from typing import Final

from comanda.contracts.tasks import WakeEvent
from comanda.db import sql

from comanda_analytics import feed

POLL_SECONDS: Final = 60.0
# A slice takes less than a second, in which events of the same store wait.
SLICE: Final = 2000
STORES: Final = 50

# Every store that has an order has a tally.
INCOMPLETE = """
    SELECT t.store_id, t.owner_id FROM core_order_tally t
    JOIN core_store s ON s.id = t.store_id AND s.owner_id = t.owner_id
    LEFT JOIN analytics_store a ON a.store_id = t.store_id AND a.owner_id = t.owner_id
    WHERE a.is_complete IS NOT TRUE OR a.timezone <> s.timezone
    ORDER BY t.store_id, t.owner_id LIMIT $1
"""
ZONE = "SELECT timezone FROM core_store WHERE id = $1 AND owner_id = $2"
NEXT = """
    SELECT o.id, o.owner_id, o.store_id, o.created_at, $4::text AS timezone FROM core_order o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.id > $3 ORDER BY o.id LIMIT $5
"""
COUNTED = "UPDATE analytics_store SET counted_to = $3, is_complete = $4 WHERE store_id = $1 AND owner_id = $2"
FORGET = (
    """
    DELETE FROM analytics_order a USING core_order o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND a.order_id = o.id AND a.owner_id = o.owner_id
    """,
    "DELETE FROM analytics_day WHERE store_id = $1 AND owner_id = $2",
    "DELETE FROM analytics_item_day WHERE store_id = $1 AND owner_id = $2",
    "UPDATE analytics_store SET counted_to = 0, is_complete = false WHERE store_id = $1 AND owner_id = $2",
)
ALL = "SELECT store_id, owner_id FROM core_order_tally WHERE $1::bigint IS NULL OR store_id = $1 ORDER BY store_id"


async def run(wake: WakeEvent) -> None:
    """Count whatever is missing, for as long as the process lives."""
    while True:
        await fill()
        await wake.wait(POLL_SECONDS)


async def fill() -> None:
    """Count all orders of every store that has not been counted in its time zone."""
    while stores := await sql.fetch(INCOMPLETE, STORES):
        for store in stores:
            await fill_store(store["store_id"], store["owner_id"])


async def fill_store(store_id: int, owner_id: int) -> None:
    """Count all orders of a store, from where the last one who did stopped."""
    while not await _fill_slice(store_id, owner_id):
        pass


async def rebuild(store_id: int | None) -> int:
    """Forget what was counted of a store, or of all, and count it anew; return how many stores. For the operator."""
    stores = await sql.fetch(ALL, store_id)
    for store in stores:
        place = store["store_id"], store["owner_id"]
        async with sql.transaction():
            await feed.hold({place: await sql.fetch_value(ZONE, *place)})
            for statement in FORGET:
                await sql.execute(statement, *place)
        await fill_store(*place)
    return len(stores)


async def _fill_slice(store_id: int, owner_id: int) -> bool:
    """Count a store's next orders; return whether that was all."""
    async with sql.transaction():
        zone = await sql.fetch_value(ZONE, store_id, owner_id)
        (state,) = await feed.hold({(store_id, owner_id): zone})
        if state["is_complete"]:
            return True
        orders = await sql.fetch(NEXT, store_id, owner_id, state["counted_to"], zone, SLICE)
        await feed.count(orders)
        is_all = len(orders) < SLICE
        counted_to = orders[-1]["id"] if orders else state["counted_to"]
        await sql.execute(COUNTED, store_id, owner_id, counted_to, is_all)
    return is_all
