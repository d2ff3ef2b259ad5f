"""Guests follow orders: whatever comes twice, late, in another order, or at once."""

import asyncio
from datetime import timedelta

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line

KEPT = "visits, orders, total_spent_minor, first_visit_on, last_visit_on, first_seen_at, last_seen_at, name, phone"


@pytest.fixture
def rows(owner):
    async def read():
        return await sql.fetch(f"SELECT {KEPT} FROM customers_guest WHERE owner_id = $1 ORDER BY id", owner.id)

    return read


async def test_an_order_with_a_phone_makes_a_guest_once_its_event_is_dispatched(store, soup, clock, dispatch, guests):
    await store.send("PUT", "/settings", {"country": "PT"})
    await store.order(line(soup, 2), phone="912 345 678", customer_name="Ada")

    await dispatch()

    (guest,) = await guests()
    assert guest == {
        "id": guest["id"], "name": "Ada", "phone": "+351912345678", "email": None, "visits": 1, "orders": 1,
        "total_spent": 20.0, "avg_order": 20.0, "first_seen_at": clock().isoformat(),
        "last_seen_at": clock().isoformat(), "tags": [], "segment": "new",
    }  # fmt: skip


@pytest.mark.parametrize("phone", [None, "", "x", "123"])
async def test_an_order_without_a_phone_is_nobodys(order, rows, phone):
    await order(phone=phone, customer_name="Ada")

    assert await rows() == []


async def test_orders_of_one_number_are_one_guests_and_visits_are_days(order, guests, clock):
    for days_ago, soups in ((3, 1), (3, 2), (1, 4)):
        await order(days_ago=days_ago, soups=soups)
    await order(phone="+351 900 000 000")

    (guest,) = await guests("search=912345678")
    assert (guest["orders"], guest["visits"], guest["total_spent"], guest["avg_order"]) == (3, 2, 70.0, 23.33)
    assert guest["first_seen_at"] == (clock() - timedelta(days=3)).isoformat()
    assert guest["last_seen_at"] == (clock() - timedelta(days=1)).isoformat()
    assert len(await guests()) == 2


async def test_a_cancelled_order_does_not_count_until_it_is_taken_back(store, order, hear, guests):
    first = await order(days_ago=2, soups=3)
    await order()
    before = await guests()

    await store.set_status(first, "cancelled")
    await hear(first)
    (without,) = await guests()
    await store.set_status(first, "preparing")
    await hear(first)

    assert (without["orders"], without["visits"], without["total_spent"]) == (1, 1, 10.0)
    assert without["first_seen_at"] == without["last_seen_at"] == before[0]["last_seen_at"]
    assert await guests() == before


async def test_a_guest_whose_orders_are_all_cancelled_is_not_shown_and_keeps_their_tags(store, order, hear, guests):
    placed = await order()
    (guest,) = await guests()
    path = f"/guests/{guest['id']}"
    await store.send("PUT", path, {"tags": ["no nuts"]})

    await store.set_status(placed, "cancelled")
    await hear(placed)

    assert await guests() == []
    assert (await store.send("GET", path)).status == 404
    assert (await store.send("PUT", path, {"tags": []})).status == 404
    assert [segment["count"] for segment in (await store.get("/guests/segments"))["data"]] == [0, 0, 0, 0, 0]
    await order()
    assert [(one["id"], one["orders"], one["tags"]) for one in await guests()] == [(guest["id"], 1, ["no nuts"])]


async def test_repeats_and_another_order_of_events_change_nothing(order, hear, rows):
    ids = [await order(days_ago=days, customer_name=f"Name {days}", told=False) for days in (5, 4, 4, 0)]
    nameless = await order(told=False)

    await hear(*ids, nameless)
    once = await rows()
    await hear(*ids, *ids)
    for id in (nameless, *reversed(ids)):
        await hear(id)

    assert await rows() == once
    assert (once[0]["orders"], once[0]["visits"], once[0]["name"]) == (5, 3, "Name 0")


async def test_events_in_reverse_leave_what_events_in_order_leave(order, hear, rows):
    told = ((9, "A"), (2, "B"), (2, None))
    for id in reversed([await order(days_ago=days, customer_name=name, told=False) for days, name in told]):
        await hear(id)

    (guest,) = await rows()
    assert (guest["orders"], guest["visits"], guest["name"], guest["total_spent_minor"]) == (3, 2, "B", 3000)


async def test_dispatchers_that_hear_of_one_guest_at_once_lose_nothing(order, hear, rows):
    phones = [f"+351 912 000 00{number}" for number in range(4)]
    ids = [await order(phone=phone, told=False) for phone in phones for _ in range(4)]

    await asyncio.gather(*(hear(*batch) for batch in (ids, ids[::-1], ids[::2], ids[1::2], *([id] for id in ids))))

    assert [(row["orders"], row["visits"], row["total_spent_minor"]) for row in await rows()] == [(4, 1, 4000)] * 4


async def test_a_cancellation_while_others_write_the_guest_down_is_not_lost(store, order, hear, rows):
    ids = [await order(told=False) for _ in range(6)]

    async def cancel(id):
        await store.set_status(id, "cancelled")
        await hear(id, name="order.status_changed")

    await asyncio.gather(*(hear(*ids) for _ in range(6)), *(cancel(id) for id in ids[:3]))

    assert [(row["orders"], row["total_spent_minor"]) for row in await rows()] == [(3, 3000)]


async def test_a_customers_orders_are_the_customers_whatever_phone_they_carry(order, hear, of_customer, guests):
    ids = [await order(phone=phone, told=False) for phone in ("+351912345678", None, "+351912345679")]
    for id in ids:
        await of_customer(id, 7)
    await order(phone="+351912345678")

    await hear(*ids)

    found = sorted((guest["orders"], guest["phone"]) for guest in await guests())
    assert found == [(1, "+351912345678"), (3, "+351912345679")]


async def test_what_was_given_back_was_not_spent(order, hear, guests, owner):
    placed = await order(soups=3)
    await sql.execute("UPDATE core_order SET refunded_minor = 1250 WHERE id = $1 AND owner_id = $2", placed, owner.id)

    await hear(placed)

    assert (await guests())[0]["total_spent"] == 17.5


async def test_an_order_stays_its_guests_when_the_store_learns_its_country(store, order, hear, guests):
    placed = await order(phone="912 345 678")
    await store.send("PUT", "/settings", {"country": "PT"})

    await hear(placed)

    assert [guest["orders"] for guest in await guests()] == [1]
    assert len(await guests("search=912345678")) == 1


async def test_an_order_that_is_not_there_holds_up_no_other(order, hear, rows):
    placed = await order(told=False)

    await hear(987_654_321_000, placed)

    assert [row["orders"] for row in await rows()] == [1]


async def test_one_phone_at_two_stores_or_owners_is_a_guest_of_each(store, order, owner, other_owner, client, dispatch):
    await order(told=False)
    mine = type(store)(client, owner, await owner.store())
    theirs = type(store)(client, other_owner, await other_owner.store())
    for other in (mine, mine, theirs):
        await other.order(line(await other.item()), phone="+351912345678")

    await dispatch()

    seen = [[guest["orders"] for guest in (await one.get("/guests"))["data"]] for one in (store, mine, theirs)]
    assert seen == [[1], [2], [1]]


async def test_orders_of_any_size_stop_neither_the_handler_nor_the_lists(store, order, hear, guests, rows):
    """Two such orders exceed what a column of eight bytes holds; they are from before totals had a limit."""
    orders = [await order() for _ in range(2)]
    await sql.execute("UPDATE core_order SET total_minor = $2 WHERE id = ANY($1::bigint[])", orders, 9 * 10**18)

    await hear(*orders)

    assert [row["total_spent_minor"] for row in await rows()] == [2**63 - 1]
    assert [guest["orders"] for guest in await guests()] == [2]
    assert (await store.get("/guests/segments"))["data"]
