"""Guest totals under repeated, late and concurrent events."""

import asyncio
from datetime import timedelta

import pytest
from comanda.platform.db import sql

KEPT = "visits, orders, total_spent_minor, first_visit_on, last_visit_on, first_seen_at, last_seen_at, name, phone"


@pytest.fixture
def read_guests(owner):
    async def read():
        return await sql.fetch(f"SELECT {KEPT} FROM customers_guest WHERE owner_id = $1 ORDER BY id", owner.id)

    return read


@pytest.mark.parametrize("phone", [None, "", "x", "123"])
async def test_order_without_phone_has_no_guest(order, read_guests, phone):
    await order(phone=phone, customer_name="Ada")

    assert await read_guests() == []


async def test_orders_of_one_phone_belong_to_one_guest(order, list_guests, clock):
    for days_ago, soups in ((3, 1), (3, 2), (1, 4)):
        await order(days_ago=days_ago, soups=soups)
    await order(phone="+351 900 000 000")

    (guest,) = await list_guests("search=912345678")
    assert (guest["orders"], guest["visits"], guest["total_spent"], guest["avg_order"]) == (3, 2, 70.0, 23.33)
    assert guest["first_seen_at"] == (clock() - timedelta(days=3)).isoformat()
    assert guest["last_seen_at"] == (clock() - timedelta(days=1)).isoformat()
    assert len(await list_guests()) == 2


async def test_cancelled_order_does_not_count_until_restored(store, order, handle_order_event, list_guests):
    first = await order(days_ago=2, soups=3)
    await order()
    before = await list_guests()

    await store.set_status(first, "cancelled")
    await handle_order_event(first)
    (without,) = await list_guests()
    await store.set_status(first, "preparing")
    await handle_order_event(first)

    assert (without["orders"], without["visits"], without["total_spent"]) == (1, 1, 10.0)
    assert without["first_seen_at"] == without["last_seen_at"] == before[0]["last_seen_at"]
    assert await list_guests() == before


async def test_guest_with_cancelled_orders_is_hidden_but_keeps_tags(store, order, handle_order_event, list_guests):
    placed = await order()
    (guest,) = await list_guests()
    path = f"/guests/{guest['id']}"
    await store.send("PUT", path, {"tags": ["no nuts"]})

    await store.set_status(placed, "cancelled")
    await handle_order_event(placed)

    assert await list_guests() == []
    assert (await store.send("GET", path)).status == 404
    assert (await store.send("PUT", path, {"tags": []})).status == 404
    assert [segment["count"] for segment in (await store.get("/guests/segments"))["data"]] == [0, 0, 0, 0, 0]
    await order()
    assert [(one["id"], one["orders"], one["tags"]) for one in await list_guests()] == [(guest["id"], 1, ["no nuts"])]


async def test_repeated_events_change_nothing(order, handle_order_event, read_guests):
    ids = [await order(days_ago=days, customer_name=f"Name {days}", is_handled=False) for days in (5, 4, 4, 0)]
    nameless = await order(is_handled=False)

    await handle_order_event(*ids, nameless)
    once = await read_guests()
    await handle_order_event(*ids, *ids)
    for id in (nameless, *reversed(ids)):
        await handle_order_event(id)

    assert await read_guests() == once
    assert (once[0]["orders"], once[0]["visits"], once[0]["name"]) == (5, 3, "Name 0")


async def test_reversed_events_give_same_result(order, handle_order_event, read_guests):
    is_handled = ((9, "A"), (2, "B"), (2, None))
    for id in reversed([await order(days_ago=days, customer_name=name, is_handled=False) for days, name in is_handled]):
        await handle_order_event(id)

    (guest,) = await read_guests()
    assert (guest["orders"], guest["visits"], guest["name"], guest["total_spent_minor"]) == (3, 2, "B", 3000)


async def test_concurrent_dispatchers_lose_nothing(order, handle_order_event, read_guests):
    phones = [f"+351 912 000 00{number}" for number in range(4)]
    ids = [await order(phone=phone, is_handled=False) for phone in phones for _ in range(4)]

    await asyncio.gather(
        *(handle_order_event(*batch) for batch in (ids, ids[::-1], ids[::2], ids[1::2], *([id] for id in ids)))
    )

    assert [(row["orders"], row["visits"], row["total_spent_minor"]) for row in await read_guests()] == [
        (4, 1, 4000)
    ] * 4


async def test_concurrent_cancellation_is_not_lost(store, order, handle_order_event, read_guests):
    ids = [await order(is_handled=False) for _ in range(6)]

    async def cancel(id):
        await store.set_status(id, "cancelled")
        await handle_order_event(id, name="order.status_changed")

    await asyncio.gather(*(handle_order_event(*ids) for _ in range(6)), *(cancel(id) for id in ids[:3]))

    assert [(row["orders"], row["total_spent_minor"]) for row in await read_guests()] == [(3, 3000)]


async def test_customer_orders_ignore_phone_of_order(order, handle_order_event, assign_to_customer, list_guests):
    ids = [await order(phone=phone, is_handled=False) for phone in ("+351912345678", None, "+351912345679")]
    for id in ids:
        await assign_to_customer(id, 7)
    await order(phone="+351912345678")

    await handle_order_event(*ids)

    found = sorted((guest["orders"], guest["phone"]) for guest in await list_guests())
    assert found == [(1, "+351912345678"), (3, "+351912345679")]


async def test_refunds_reduce_total_spent(order, handle_order_event, list_guests, owner):
    placed = await order(soups=3)
    await sql.execute("UPDATE core_order SET refunded_minor = 1250 WHERE id = $1 AND owner_id = $2", placed, owner.id)

    await handle_order_event(placed)

    assert (await list_guests())[0]["total_spent"] == 17.5


async def test_unpaid_orders_add_nothing_to_total_spent(order, handle_order_event, list_guests, mark_as_paid):
    await order()
    unpaid = await order(soups=3, is_paid=False)
    (before,) = await list_guests()
    assert (before["orders"], before["total_spent"]) == (2, 10)

    await mark_as_paid(unpaid)
    await handle_order_event(unpaid, name="order.paid")

    assert (await list_guests())[0]["total_spent"] == 40


async def test_order_keeps_guest_when_country_is_set(store, order, handle_order_event, list_guests):
    placed = await order(phone="912 345 678")
    await store.send("PUT", "/settings", {"country": "PT"})

    await handle_order_event(placed)

    assert [guest["orders"] for guest in await list_guests()] == [1]
    assert len(await list_guests("search=912345678")) == 1


async def test_missing_order_does_not_block_others(order, handle_order_event, read_guests):
    placed = await order(is_handled=False)

    await handle_order_event(987_654_321_000, placed)

    assert [row["orders"] for row in await read_guests()] == [1]


async def test_huge_amounts_are_capped(store, order, handle_order_event, list_guests, read_guests):
    """Two such orders exceed what a column of eight bytes holds; they are from before totals had a limit."""
    orders = [await order() for _ in range(2)]
    await sql.execute(
        "UPDATE core_order SET paid_minor = $2, total_minor = $2 WHERE id = ANY($1::bigint[])", orders, 9 * 10**18
    )

    await handle_order_event(*orders)

    assert [row["total_spent_minor"] for row in await read_guests()] == [2**63 - 1]
    assert [guest["orders"] for guest in await list_guests()] == [2]
    assert (await store.get("/guests/segments"))["data"]
