"""Orders that are merged."""

import asyncio

import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda.platform.db import sql


async def read(store, order):
    return (await store.get(f"/orders/{order['id']}")).document


async def merge(store, order, other):
    return await store.send("POST", f"/orders/{order['id']}/merge", {"order_id": other["id"]})


async def test_merged_order_has_all_lines_and_payments(store, soup, wine, pay, published):
    one, other = await store.order(line(soup, 2), tip_amount=1), await store.order(line(wine), tip_amount=2)
    await pay(other, 500)

    merged = (await merge(store, one, other)).document

    assert [(each["name"], each["round"]) for each in merged["items"]] == [("Soup", 1), ("Wine", 2)]
    assert merged["items"][1]["id"] == other["items"][0]["id"]
    assert (merged["total"], merged["paid_total"], merged["amount_due"], merged["tip_amount"]) == (20.5, 5, 15.5, 3)
    closed = await read(store, other)
    assert (closed["status"], closed["merged_into"], closed["items"]) == ("cancelled", one["id"], [])
    assert (closed["total"], closed["paid_total"]) == (0, 0)
    events = [(name, data["order_id"]) for name, data in (await published())[-2:]]
    assert events == [("order.amended", one["id"]), ("order.status_changed", other["id"])]


async def test_stock_of_a_merged_order_stays_taken(owner, client):
    store = TestStore(client, owner, await owner.store("retail"))
    cup = await store.item("Cup", 4, stock=5)
    one, other = await store.order(line(cup), type="in_store"), await store.order(line(cup, 2), type="in_store")

    await merge(store, one, other)

    assert await sql.fetch_value("SELECT stock FROM core_menu_item WHERE id = $1", cup["id"]) == 2
    await store.set_status(one["id"], "cancelled")
    assert await sql.fetch_value("SELECT stock FROM core_menu_item WHERE id = $1", cup["id"]) == 5


async def test_two_waiters_merge_the_same_two(store, soup, wine):
    one, other = await store.order(line(soup)), await store.order(line(wine))

    answers = await asyncio.gather(merge(store, one, other), merge(store, other, one))

    assert sorted(answer.status for answer in answers) == [200, 409]
    orders = [await read(store, each) for each in (one, other)]
    assert sorted((each["status"], each["total"]) for each in orders) == [("cancelled", 0), ("new", 12.5)]


@pytest.mark.parametrize("problem", ["itself", "missing", "cancelled", "discounted"])
async def test_merge_is_refused(store, soup, problem):
    one, other = await store.order(line(soup)), await store.order(line(soup))
    if problem == "cancelled":
        await store.set_status(other["id"], "cancelled")
    if problem == "discounted":
        await store.send("POST", f"/orders/{other['id']}/discounts", {"percent": 5, "reason": "Regular"})
    wanted = {"itself": one, "missing": {"id": 999_999}}.get(problem, other)

    answer = await merge(store, one, wanted)

    expected = {"itself": 422, "missing": 404, "cancelled": 409, "discounted": 422}
    assert answer.status == expected[problem]
    assert await read(store, one) == one


async def test_split_and_merge_give_the_order_back(store, soup, wine):
    order = await store.order(line(soup, 2), line(wine))
    split = (
        await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})
    ).document

    merged = (await merge(store, order, split)).document

    assert (merged["total"], [each["name"] for each in merged["items"]]) == (order["total"], ["Soup", "Wine"])
