"""Daily totals stay correct with repeated, late and concurrent events."""

import asyncio

from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_analytics.services import daily_totals


async def test_repeated_and_late_events_count_once(shop, days, items):
    first, second = await shop.place_order(line(shop.soup)), await shop.place_order(line(shop.cake, 3))
    await shop.set_status(first, "completed")

    for batch in ((first,), (second, first, first), (first, second), (second,)):
        await shop.handle_events(*batch)
        await shop.handle_events(*reversed(batch), name="order.created")

    assert await days() == [
        ("2030-05-15", "takeaway", "completed", 1, 0, 1000, 0),
        ("2030-05-15", "takeaway", "new", 1, 0, 1200, 0),
    ]
    assert await items() == {shop.soup["id"]: 1, shop.cake["id"]: 3}


async def test_cancelling_removes_items_and_reopening_adds_them(shop, items):
    order_id = await shop.place_order(line(shop.soup, 2), line(shop.cake))
    seen = []
    for status in ("new", "cancelled", "cancelled", "preparing"):
        await shop.set_status(order_id, status)
        await shop.handle_events(order_id)
        seen.append(await items())

    both = {shop.soup["id"]: 2, shop.cake["id"]: 1}
    assert seen == [both, {}, {}, both]


async def test_concurrent_dispatchers_count_each_order_once(shop, days, items):
    orders = [await shop.place_order(line(shop.soup)) for _ in range(6)]

    async def cancel(order_id):
        await shop.set_status(order_id, "cancelled")
        await shop.handle_events(order_id)

    await asyncio.gather(
        *(shop.handle_events(*orders) for _ in range(4)),
        *(shop.handle_events(*reversed(orders)) for _ in range(4)),
        *(cancel(order_id) for order_id in orders[:2]),
    )

    assert await days() == [
        ("2030-05-15", "takeaway", "cancelled", 2, 0, 2000, 0),
        ("2030-05-15", "takeaway", "new", 4, 0, 4000, 0),
    ]
    assert await items() == {shop.soup["id"]: 4}


async def test_batch_takes_three_statements(shop, monkeypatch):
    orders = [await shop.place_order(line(shop.soup)) for _ in range(5)]
    await shop.backfill_orders()
    statements = []
    for name in ("fetch", "fetch_one", "fetch_value", "execute"):
        real = getattr(sql, name)

        async def recorded(statement, *values, real=real):
            statements.append(statement)
            return await real(statement, *values)

        monkeypatch.setattr(sql, name, recorded)

    await shop.handle_events(*orders)

    # Notifications of earlier work may be sent at any time.
    assert [each for each in statements if "pg_notify" not in each] == [
        daily_totals.SELECT_ORDERS,
        daily_totals.LOCK_STORES,
        daily_totals.UPDATE_TOTALS,
    ]
