"""The consistency check rebuilds daily totals that differ, and no others."""

from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_analytics.services import backfill, consistency_check


async def test_check_finds_orders_with_missed_events(shop, dispatch, days, delete_events):
    await shop.place_order(line(shop.soup))
    await dispatch()
    await shop.backfill_orders()
    await shop.place_order(line(shop.cake))
    await delete_events()
    assert (await shop.report())["orders"]["total"] == 1

    await consistency_check.check_totals()

    assert (await shop.report())["orders"]["total"] == 2
    assert await days() == [("2030-05-15", "takeaway", "new", 2, 0, 1400, 0)]


async def test_check_counts_partial_payments_without_rebuild(shop, dispatch, days, monkeypatch):
    order_id = await shop.place_order(line(shop.soup))
    await dispatch()
    await shop.backfill_orders()
    await shop.pay(order_id, 3)
    rebuilt = []
    monkeypatch.setattr(backfill, "rebuild_totals", rebuilt.append)

    await consistency_check.check_totals()

    assert rebuilt == []
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 1000, 300)]
    assert (await shop.report())["revenue"]["paid"] == 3


async def test_check_finds_wrong_number_of_paid_orders(shop, dispatch):
    order = await shop.place_order(line(shop.soup))
    await shop.pay(order)
    await dispatch()
    await shop.backfill_orders()
    await sql.execute("UPDATE analytics_day SET paid_orders = 0 WHERE store_id = $1", shop.id)
    assert await shop.get_report_totals() == (10, 0)

    await consistency_check.check_totals()

    assert await shop.get_report_totals() == await shop.get_daily_totals() == (10, 1)


async def test_check_does_not_rebuild_correct_totals(shop, dispatch, monkeypatch):
    covered, begun, reopened = [await shop.place_order(line(shop.soup)) for _ in range(3)]
    await dispatch()
    await shop.backfill_orders()
    rebuilt = []

    async def rebuild(store_id):
        rebuilt.append(store_id)

    monkeypatch.setattr(backfill, "rebuild_totals", rebuild)
    await shop.pay(covered)
    await shop.pay(begun, 4)
    await shop.pay(reopened, 4)
    await shop.refund(reopened, 4)
    await shop.pay(reopened, 2)
    await dispatch()

    await consistency_check.check_totals()

    assert shop.id not in rebuilt
    assert await shop.get_daily_totals() == (16, 1)
