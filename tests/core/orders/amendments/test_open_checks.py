"""Rounds that are added to an open check, lines that are voided, and paid orders that are opened again."""

import asyncio

import pytest
from comanda.basics.errors import NotFound
from comanda.contracts.orders.charges import LinePrice
from comanda.contracts.requests.callers import Caller
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders.amendments import open_checks
from comanda.platform.db import sql


@pytest.fixture
async def order(store, soup):
    """An order of two soups, 10.00."""
    return await store.order(line(soup, 2))


def path(order, rest=""):
    return f"/orders/{order['id']}{rest}"


def list_lines(order):
    return [(each["name"], each["quantity"], each["round"]) for each in order["items"]]


async def test_second_round_joins_the_order(store, order, wine, published):
    answer = await store.send("POST", path(order, "/lines"), {"items": [line(wine, seat=2, course=3)]})

    amended = answer.document
    assert (answer.status, amended["total"], amended["amount_due"], amended["amendments"]) == (201, 17.5, 17.5, 1)
    assert list_lines(amended) == [("Soup", 2, 1), ("Wine", 1, 2)]
    assert (amended["items"][1]["seat"], amended["items"][1]["course"]) == (2, 3)
    assert amended["items"][0]["id"] == order["items"][0]["id"]
    name, event = (await published())[-1]
    assert (name, event["kind"], event["total"], event["amendment"]) == ("order.amended", "add", "17.50", 1)
    assert event["added"] == [
        {"line_id": amended["items"][1]["id"], "item_id": wine["id"], "item": "Wine", "quantity": 1}
    ]


async def test_line_keeps_its_price_while_the_menu_changes(store, order, soup):
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    amended = (await store.send("POST", path(order, "/lines"), {"items": [line(soup)]})).document

    assert [each["unit_price"] for each in amended["items"]] == [5, 6]
    assert amended["total"] == 16


async def test_void_takes_a_quantity_off(store, order, published):
    line_id = order["items"][0]["id"]

    answer = await store.send("POST", path(order, f"/lines/{line_id}/void"), {"quantity": 1, "reason": "Cold"})

    amended = answer.document
    assert (amended["total"], list_lines(amended)) == (5, [("Soup", 1, 1)])
    assert amended["voided_items"] == [
        {"id": line_id, "item_id": order["items"][0]["item_id"], "name": "Soup", "quantity": 1, "round": 1}
    ]
    assert (await published())[-1][1]["voided"][0]["quantity"] == 1
    history = (await store.get(path(order, "/history"))).document["data"][0]
    assert (history["field"], history["to"], history["note"]) == ("lines", "void", "-1 Soup: Cold")


async def test_void_of_all_keeps_the_line_among_the_voided(store, order, wine):
    await store.send("POST", path(order, "/lines"), {"items": [line(wine)]})

    amended = (
        await store.send("POST", path(order, f"/lines/{order['items'][0]['id']}/void"), {"reason": "Wrong table"})
    ).document

    assert (list_lines(amended), amended["total"]) == ([("Wine", 1, 2)], 7.5)
    assert [(each["name"], each["quantity"]) for each in amended["voided_items"]] == [("Soup", 2)]


@pytest.mark.parametrize(
    ("body", "field"),
    [({"quantity": 3, "reason": "Cold"}, "quantity"), ({"reason": "All"}, "quantity"), ({"quantity": 1}, "reason")],
)
async def test_void_is_refused(store, order, body, field):
    answer = await store.send("POST", path(order, f"/lines/{order['items'][0]['id']}/void"), body)

    assert (answer.status, list(answer.document["errors"])) == (422, [field])
    assert (await store.get(path(order))).document == order


async def test_stock_follows_amendments(client, owner):
    store = TestStore(client, owner, await owner.store("retail"))
    cake = await store.item("Cake", 4, stock=5)
    order = await store.order(line(cake, 2), type="in_store")
    line_id = order["items"][0]["id"]

    async def left():
        return await sql.fetch_value("SELECT stock FROM core_menu_item WHERE id = $1", cake["id"])

    await store.send("POST", path(order, "/lines"), {"items": [line(cake, 2)]})
    assert await left() == 1
    await store.send("POST", path(order, f"/lines/{line_id}/void"), {"quantity": 1, "reason": "Changed mind"})
    assert await left() == 2
    await store.send("POST", path(order, f"/lines/{line_id}/void"), {"reason": "Dropped", "restock": False})
    assert await left() == 2
    refused = await store.send("POST", path(order, "/lines"), {"items": [line(cake, 3)]})
    assert (refused.status, await left()) == (422, 2)
    await store.send("PUT", path(order, "/status"), {"status": "cancelled"})
    assert await left() == 4


async def test_eight_waiters_add_to_one_table(store, order, wine):
    answers = await asyncio.gather(
        *(store.send("POST", path(order, "/lines"), {"items": [line(wine)]}) for _ in range(8))
    )

    found = (await store.get(path(order))).document
    assert [answer.status for answer in answers] == [201] * 8
    assert sorted(each["round"] for each in found["items"]) == list(range(1, 10))
    assert (found["total"], found["amendments"]) == (70, 8)
    listed = (await store.get(path(order, "/amendments"))).document["data"]
    assert [each["number"] for each in listed] == list(range(8, 0, -1))


async def test_repeated_request_adds_one_round(store, order, wine):
    request = ("POST", path(order, "/lines"), {"items": [line(wine)]})
    first = await store.send(*request, Idempotency_Key="round-2")
    again = await store.send(*request, Idempotency_Key="round-2")

    assert first.document == again.document
    assert (await store.get(path(order))).document["amendments"] == 1


@pytest.mark.parametrize("status", ["completed", "cancelled"])
async def test_closed_order_is_not_amended(store, order, wine, status):
    await store.send("PUT", path(order, "/status"), {"status": status})

    answer = await store.send("POST", path(order, "/lines"), {"items": [line(wine)]})

    assert (answer.status, answer.document["reason"]) == (409, "order_closed")


async def test_note_seat_and_course_of_a_line_change(store, order):
    line_path = path(order, f"/lines/{order['items'][0]['id']}")

    amended = (await store.send("PUT", line_path, {"note": "No cream", "seat": 1})).document
    cleared = (await store.send("PUT", line_path, {"note": None})).document

    assert (amended["items"][0]["note"], amended["items"][0]["seat"]) == ("No cream", 1)
    assert (cleared["items"][0]["note"], cleared["items"][0]["seat"]) == (None, 1)


async def test_reopened_order_takes_another_round(store, soup, wine, pay):
    order = await store.order(line(soup))
    await pay(order, 500)
    refused = await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(wine)]})

    reopened = (await store.send("POST", f"/orders/{order['id']}/reopen", {"reason": "Wrong table"})).document
    amended = (await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(wine)]})).document

    assert (refused.status, refused.document["reason"]) == (409, "order_paid")
    assert (reopened["is_paid"], reopened["payment_status"]) == (False, "partially_paid")
    assert (amended["amount_due"], amended["is_paid"]) == (7.5, False)


async def test_open_order_stays_open(store, soup):
    order = await store.order(line(soup))

    answer = await store.send("POST", f"/orders/{order['id']}/reopen", {"reason": "Wrong table"})

    assert (answer.status, answer.document) == (200, order)


@pytest.fixture
def price(owner, store):
    """Price a line of an order, as a plugin does that learns its price after it was ordered."""
    caller = Caller("owner", 0, owner.id, None, None, frozenset({"*"}), None)

    async def price(order, quantity, price_minor, line_id=None):
        place = open_checks.CheckPlace(caller, store.id, order["id"])
        priced = LinePrice(price_minor, "1.2 kg")
        return await open_checks.price_line(place, line_id or order["items"][0]["id"], quantity, priced, "Weighed")

    return price


async def test_line_gets_the_price_that_was_to_come(store, order, wine, price, published):
    await store.send("POST", path(order, "/lines"), {"items": [line(wine)]})
    await store.send("POST", path(order, "/discounts"), {"percent": 10, "reason": "Regular guest"})

    await price(order, 1, 620)

    amended = (await store.get(path(order))).document
    assert list_lines(amended) == [("Soup", 1, 1), ("Wine", 1, 2)]
    assert (amended["items"][0]["unit_price"], amended["items"][0]["price_label"]) == (6.2, "1.2 kg")
    # 6.20 and 7.50, less 10 %.
    assert (amended["total"], amended["voided_items"]) == (12.33, [])
    name, event = (await published())[-1]
    assert (name, event["kind"], event["added"], event["voided"]) == ("order.amended", "price", [], [])
    listed = (await store.get(path(order, "/amendments"))).document["data"][0]
    assert [(change["name"], change["quantity"]) for change in listed["changes"]] == [("Soup", -1)]


async def test_price_of_an_unknown_line_is_not_set(store, order, price):
    with pytest.raises(NotFound):
        await price(order, 1, 620, line_id=order["items"][0]["id"] + 1000)

    assert (await store.get(path(order))).document == order


async def test_answers_show_the_order_as_it_is_stored(store, order, wine, published):
    soup_line = order["items"][0]["id"]
    for method, rest, body in (
        ("POST", "/lines", {"items": [line(wine)]}),
        ("PUT", f"/lines/{soup_line}", {"note": "No onions"}),
        ("PUT", "/status", {"status": "preparing"}),
        ("POST", "/lines", {"items": [line(wine, 2), line(wine, note="Cold")]}),
        ("POST", f"/lines/{soup_line}/void", {"reason": "Cold", "quantity": 1}),
        ("POST", "/lines", {"items": [line(wine)]}),
        ("POST", "/discounts", {"percent": 100, "reason": "Late"}),
    ):
        reply = await store.send(method, path(order, rest), body)
        assert reply.status in {200, 201}, reply.document
        assert reply.document == (await store.send("GET", path(order))).document

    events = [event for name, event in await published() if name == "order.amended"]
    added = [each["line_id"] for event in events for each in event["added"]]
    assert sorted(added) == sorted(each["id"] for each in reply.document["items"] if each["round"] > 1)
