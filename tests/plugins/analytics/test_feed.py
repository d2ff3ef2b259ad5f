"""Days stay in step with orders, whatever happens to events and to processes."""

import asyncio
from zoneinfo import ZoneInfo

import pytest
from comanda import clock
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_analytics import checking, feed, filling

DAYS = """
    SELECT day::text, type, status, orders, paid_orders, total_minor, kept_minor FROM analytics_day
    WHERE store_id = $1 AND orders <> 0 ORDER BY 1, 2, 3
"""
ITEMS = "SELECT item_id, quantity FROM analytics_item_day WHERE store_id = $1 AND quantity <> 0 ORDER BY item_id"


@pytest.fixture
def days(shop):
    """List the store's days as they were added up."""

    async def read():
        return [tuple(row) for row in await sql.fetch(DAYS, shop.id)]

    return read


@pytest.fixture
def items(shop):
    """List how many of each item the days have."""

    async def read():
        return {row["item_id"]: row["quantity"] for row in await sql.fetch(ITEMS, shop.id)}

    return read


async def anonymize_events(owner):
    await sql.execute("DELETE FROM core_outbox WHERE owner_id = $1", owner.id)


async def test_an_order_is_counted_when_its_events_are_dispatched(shop, dispatch, days, items):
    order_id = await shop.placed(line(shop.soup, 2))
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 2000, 0)]

    await shop.pay(order_id)
    await shop.set_status(order_id, "ready")
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "ready", 1, 1, 2000, 2000)]

    await shop.refund(order_id, 5)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "ready", 1, 1, 2000, 1500)]
    assert await items() == {shop.soup["id"]: 2}


async def test_a_payment_and_a_refund_are_each_heard_alone(shop, dispatch, days):
    order_id = await shop.placed(line(shop.soup))
    await dispatch()
    await shop.pay(order_id)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 1, 1000, 1000)]
    await shop.refund(order_id, 10)
    await dispatch()
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 1, 1000, 0)]


async def test_repeated_late_and_reversed_events_count_once(shop, days, items):
    first, second = await shop.placed(line(shop.soup)), await shop.placed(line(shop.cake, 3))
    await shop.set_status(first, "completed")

    for batch in ((first,), (second, first, first), (first, second), (second,)):
        await shop.hear(*batch)
        await shop.hear(*reversed(batch), name="order.created")

    assert await days() == [
        ("2030-05-15", "takeaway", "completed", 1, 0, 1000, 0),
        ("2030-05-15", "takeaway", "new", 1, 0, 1200, 0),
    ]
    assert await items() == {shop.soup["id"]: 1, shop.cake["id"]: 3}


async def test_cancelling_takes_items_off_and_reopening_puts_them_back(shop, items):
    order_id = await shop.placed(line(shop.soup, 2), line(shop.cake))
    seen = []
    for status in ("new", "cancelled", "cancelled", "preparing"):
        await shop.set_status(order_id, status)
        await shop.hear(order_id)
        seen.append(await items())

    both = {shop.soup["id"]: 2, shop.cake["id"]: 1}
    assert seen == [both, {}, {}, both]


async def test_an_event_of_an_order_that_is_not_there_holds_up_no_other(shop, days):
    order_id = await shop.placed(line(shop.soup))

    await shop.hear(987_654_321_000, order_id)
    await shop.hear(987_654_321_000)

    assert len(await days()) == 1


async def test_an_event_that_names_another_owner_counts_nothing(shop, other_owner, days):
    order_id = await shop.placed(line(shop.soup))

    await feed.follow([StoredEvent(1, other_owner.id, shop.id, "order.created", {"order_id": order_id}, clock.now())])

    assert await days() == []


async def test_dispatchers_of_one_store_at_once_count_each_order_once(shop, days, items):
    orders = [await shop.placed(line(shop.soup)) for _ in range(6)]

    async def cancel(order_id):
        await shop.set_status(order_id, "cancelled")
        await shop.hear(order_id)

    await asyncio.gather(
        *(shop.hear(*orders) for _ in range(4)),
        *(shop.hear(*reversed(orders)) for _ in range(4)),
        *(cancel(order_id) for order_id in orders[:2]),
    )

    assert await days() == [
        ("2030-05-15", "takeaway", "cancelled", 2, 0, 2000, 0),
        ("2030-05-15", "takeaway", "new", 4, 0, 4000, 0),
    ]
    assert await items() == {shop.soup["id"]: 4}


async def test_a_batch_takes_three_statements_however_large_it_is(shop, monkeypatch):
    orders = [await shop.placed(line(shop.soup)) for _ in range(5)]
    await shop.fill()
    statements = []
    for name in ("fetch", "fetch_one", "fetch_value", "execute"):
        real = getattr(sql, name)

        async def told(statement, *values, real=real):
            statements.append(statement)
            return await real(statement, *values)

        monkeypatch.setattr(sql, name, told)

    await shop.hear(*orders)

    # Bells of what was done before ring when they may.
    assert [each for each in statements if "pg_notify" not in each] == [feed.READ, feed.HOLD, feed.WRITE]


async def test_orders_from_before_the_plugin_are_counted_by_the_drain(shop, owner, days, monkeypatch):
    monkeypatch.setattr(filling, "SLICE", 2)
    for _ in range(5):
        await shop.placed(line(shop.soup))
    await anonymize_events(owner)
    assert (await shop.report())["orders"]["total"] == 5

    await filling.fill()

    assert await shop.is_counted()
    assert await days() == [("2030-05-15", "takeaway", "new", 5, 0, 5000, 0)]
    assert (await shop.report())["orders"]["total"] == 5


async def test_a_fill_that_is_cut_off_goes_on_where_it_was(shop, owner, days, monkeypatch):
    monkeypatch.setattr(filling, "SLICE", 2)
    for _ in range(5):
        await shop.placed(line(shop.soup))
    await anonymize_events(owner)
    done = 0
    real = feed.count

    async def count(orders):
        nonlocal done
        done += len(orders)
        if done == 4:
            raise ConnectionError("the process died")
        await real(orders)

    monkeypatch.setattr(feed, "count", count)
    with pytest.raises(ConnectionError):
        await shop.fill()
    assert not await shop.is_counted()
    assert (await shop.report())["orders"]["total"] == 5

    await shop.fill()

    # Two of the first slice, two that were undone, and three.
    assert done == 7
    assert await days() == [("2030-05-15", "takeaway", "new", 5, 0, 5000, 0)]


async def test_reports_are_right_while_orders_come_in_and_several_processes_fill(
    shop, owner, dispatch, days, monkeypatch
):
    monkeypatch.setattr(filling, "SLICE", 3)
    orders = [await shop.placed(line(shop.soup)) for _ in range(7)]
    await anonymize_events(owner)
    placed = 7

    async def go_on():
        nonlocal placed
        for order_id in orders[:3]:
            await shop.placed(line(shop.soup))
            placed += 1
            assert (await shop.report())["orders"]["total"] == placed
            await shop.set_status(order_id, "cancelled")
            await shop.hear(order_id)
            report = (await shop.report())["orders"]
            assert (report["total"], report["by_status"]["cancelled"]) == (placed, orders.index(order_id) + 1)

    await asyncio.gather(go_on(), *(shop.fill() for _ in range(3)))
    await filling.fill()
    await dispatch()

    assert await days() == [
        ("2030-05-15", "takeaway", "cancelled", 3, 0, 3000, 0),
        ("2030-05-15", "takeaway", "new", 7, 0, 7000, 0),
    ]


async def test_a_store_in_another_time_zone_is_counted_anew(shop, owner, dispatch, days, noon):
    late = noon.replace(hour=23)
    for at in (noon, late):
        await shop.placed(line(shop.soup), at=at)
    await dispatch()
    await shop.fill()
    assert [row[0] for row in await days()] == ["2030-05-15"]

    await sql.execute("UPDATE core_store SET timezone = 'Europe/Lisbon' WHERE id = $1", shop.id)

    assert [day["orders"] for day in (await shop.report("from=2030-05-15&to=2030-05-16&by_day=1"))["by_day"]] == [1, 1]
    await shop.hear(await shop.placed(line(shop.cake), at=late.astimezone(ZoneInfo("Europe/Lisbon"))))
    assert not await shop.is_counted()
    await filling.fill()
    assert await shop.is_counted()
    assert [(row[0], row[3]) for row in await days()] == [("2030-05-15", 1), ("2030-05-16", 2)]
    assert [day["orders"] for day in (await shop.report("from=2030-05-15&to=2030-05-16&by_day=1"))["by_day"]] == [1, 2]


async def test_a_report_is_right_before_its_events_are_dispatched_and_after(shop, dispatch):
    await shop.fill()
    one, two = await shop.placed(line(shop.soup)), await shop.placed(line(shop.cake))
    await dispatch()
    await shop.fill()
    await shop.set_status(one, "cancelled")
    await shop.pay(two)
    await shop.placed(line(shop.cake, 2), type="on-table", table_number="1")

    before = await shop.report("by_day=true&compare=true")
    await dispatch()

    assert await shop.is_counted()
    assert before["orders"]["total"] == 3
    assert before["top_items"] == [{"item_id": shop.cake["id"], "name": "Cake", "quantity": 3}]
    assert await shop.report("by_day=true&compare=true") == before


async def test_what_was_missed_while_the_plugin_was_off_is_found_by_the_check(shop, owner, dispatch, days):
    await shop.placed(line(shop.soup))
    await dispatch()
    await shop.fill()
    await shop.placed(line(shop.cake))
    await anonymize_events(owner)
    assert (await shop.report())["orders"]["total"] == 1

    await checking.check()

    assert (await shop.report())["orders"]["total"] == 2
    assert await days() == [("2030-05-15", "takeaway", "new", 2, 0, 1400, 0)]


async def test_the_check_leaves_days_that_are_right_and_takes_up_payments_in_part(shop, dispatch, days, monkeypatch):
    order_id = await shop.placed(line(shop.soup))
    await dispatch()
    await shop.fill()
    await shop.pay(order_id, 3)
    rebuilt = []
    monkeypatch.setattr(filling, "rebuild", rebuilt.append)

    await checking.check()

    assert rebuilt == []
    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 1000, 300)]
    assert (await shop.report())["revenue"]["paid"] == 3


async def test_a_rebuild_puts_right_whatever_the_days_say(shop, dispatch, days):
    await shop.placed(line(shop.soup))
    await dispatch()
    await shop.fill()
    await sql.execute("UPDATE analytics_day SET orders = 99 WHERE store_id = $1", shop.id)
    await sql.execute("UPDATE analytics_item_day SET quantity = 99 WHERE store_id = $1", shop.id)

    assert await filling.rebuild(shop.id) == 1

    assert await days() == [("2030-05-15", "takeaway", "new", 1, 0, 1000, 0)]
    assert (await shop.report())["top_items"][0]["quantity"] == 1
    assert await filling.rebuild(987_654_321) == 0
