"""Counting of orders from before the plugin was installed."""

from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_closings.services import backfill

FORGET_EVENTS = "UPDATE core_outbox SET done_at = now() WHERE store_id = $1"


async def test_orders_without_events_are_counted_in_slices(shop, monkeypatch):
    monkeypatch.setattr(backfill, "SLICE_SIZE", 2)
    # Stores of other tests have amounts that no order may have.
    own = f"WHERE t.store_id = {shop.id} AND"
    monkeypatch.setattr(backfill, "SELECT_INCOMPLETE_STORES", backfill.SELECT_INCOMPLETE_STORES.replace("WHERE", own))
    for _ in range(5):
        await shop.order(line(shop.cake))
    await sql.execute(FORGET_EVENTS, shop.id)

    refused = await shop.send("GET", "/day-report")
    await backfill.backfill_stores()

    assert (refused.status, refused["reason"]) == (409, "counting")
    assert (await shop.figures())["orders"] == 5


async def test_few_old_orders_are_counted_by_the_report(shop):
    await shop.order(line(shop.cake))
    await sql.execute(FORGET_EVENTS, shop.id)

    assert (await shop.figures())["orders"] == 1
