"""The backfill counts orders without events, and resumes where it stopped."""

import asyncio
from zoneinfo import ZoneInfo

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_analytics.services import backfill, daily_totals

COMPLETE = """
    INSERT INTO analytics_store (store_id, owner_id, timezone, counted_to, is_complete)
    SELECT id, owner_id, timezone, 0, true FROM core_store ON CONFLICT DO NOTHING RETURNING store_id
"""


@pytest.fixture
async def completed_others(app):
    """Mark the stores that other tests left as complete, thousands perhaps, as long as the test runs."""
    rows = await sql.fetch(COMPLETE)
    yield
    await sql.execute("DELETE FROM analytics_store WHERE store_id = ANY($1)", [row["store_id"] for row in rows])


async def test_orders_from_before_plugin_are_counted(completed_others, shop, days, monkeypatch, delete_events):
    monkeypatch.setattr(backfill, "SLICE_SIZE", 2)
    for _ in range(5):
        await shop.place_order(line(shop.soup))
    await delete_events()
    assert (await shop.report())["orders"]["total"] == 5

    await backfill.backfill_stores()

    assert await shop.is_complete()
    assert await days() == [("2030-05-15", "takeaway", "new", 5, 0, 5000, 0)]
    assert (await shop.report())["orders"]["total"] == 5


async def test_interrupted_backfill_resumes(shop, days, monkeypatch, delete_events):
    monkeypatch.setattr(backfill, "SLICE_SIZE", 2)
    for _ in range(5):
        await shop.place_order(line(shop.soup))
    await delete_events()
    done = 0
    real = daily_totals.update_totals

    async def update_totals(orders):
        nonlocal done
        done += len(orders)
        if done == 4:
            raise ConnectionError("the process died")
        await real(orders)

    monkeypatch.setattr(daily_totals, "update_totals", update_totals)
    with pytest.raises(ConnectionError):
        await shop.backfill_orders()
    assert not await shop.is_complete()
    assert (await shop.report())["orders"]["total"] == 5

    await shop.backfill_orders()

    # Two of the first slice, two that were undone, and three.
    assert done == 7
    assert await days() == [("2030-05-15", "takeaway", "new", 5, 0, 5000, 0)]


async def test_reports_are_correct_during_concurrent_backfill(shop, dispatch, days, monkeypatch, delete_events):
    monkeypatch.setattr(backfill, "SLICE_SIZE", 3)
    orders = [await shop.place_order(line(shop.soup)) for _ in range(7)]
    await delete_events()
    placed = 7

    async def go_on():
        nonlocal placed
        for order_id in orders[:3]:
            await shop.place_order(line(shop.soup))
            placed += 1
            assert (await shop.report())["orders"]["total"] == placed
            await shop.set_status(order_id, "cancelled")
            await shop.handle_events(order_id)
            report = (await shop.report())["orders"]
            assert (report["total"], report["by_status"]["cancelled"]) == (placed, orders.index(order_id) + 1)

    await asyncio.gather(go_on(), *(shop.backfill_orders() for _ in range(3)))
    await backfill.backfill_stores()
    await dispatch()

    assert await days() == [
        ("2030-05-15", "takeaway", "cancelled", 3, 0, 3000, 0),
        ("2030-05-15", "takeaway", "new", 7, 0, 7000, 0),
    ]


async def test_store_is_recounted_in_new_time_zone(shop, owner, dispatch, days, noon):
    late = noon.replace(hour=23)
    for at in (noon, late):
        await shop.place_order(line(shop.soup), at=at)
    await dispatch()
    await shop.backfill_orders()
    assert [row[0] for row in await days()] == ["2030-05-15"]

    await sql.execute("UPDATE core_store SET timezone = 'Europe/Lisbon' WHERE id = $1", shop.id)

    assert [day["orders"] for day in (await shop.report("from=2030-05-15&to=2030-05-16&by_day=1"))["by_day"]] == [1, 1]
    await shop.handle_events(await shop.place_order(line(shop.cake), at=late.astimezone(ZoneInfo("Europe/Lisbon"))))
    assert not await shop.is_complete()
    await backfill.backfill_stores()
    assert await shop.is_complete()
    assert [(row[0], row[3]) for row in await days()] == [("2030-05-15", 1), ("2030-05-16", 2)]
    assert [day["orders"] for day in (await shop.report("from=2030-05-15&to=2030-05-16&by_day=1"))["by_day"]] == [1, 2]


async def test_rebuild_corrects_totals(shop, dispatch, days):
    await shop.place_order(line(shop.soup))
    await dispatch()
    await shop.backfill_orders()
    await sql.execute("UPDATE analytics_day SET orders = 99 WHERE store_id = $1", shop.id)
    await sql.execute("UPDATE analytics_item_day SET quantity = 99 WHERE store_id = $1", shop.id)

    assert await backfill.rebuild_totals(shop.id) == 1

    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 1000, 0)]
    assert (await shop.report())["top_items"][0]["quantity"] == 1
    assert await backfill.rebuild_totals(987_654_321) == 0
