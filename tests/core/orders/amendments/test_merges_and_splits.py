"""Orders that are merged, split and reopened."""

import asyncio
import random

import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders import settlement
from comanda.platform.db import sql


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
async def wine(store):
    return await store.item("Wine", 7.5)


@pytest.fixture
def pay(owner):
    async def pay(order, amount_minor):
        async with sql.transaction():
            bill = await settlement.lock_bill_of(owner.id, order["restaurant_id"], order["id"])
            await settlement.settle(bill, "test", paid_minor=amount_minor)

    return pay


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


async def test_split_makes_an_order_of_lines(store, soup, wine, published):
    order = await store.order(line(soup, 3), line(wine), type="on-table", table_number="4", tip_amount=1)
    await store.set_status(order["id"], "preparing")
    soup_id, wine_id = (each["id"] for each in order["items"])

    answer = await store.send(
        "POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": soup_id, "quantity": 1}, {"line_id": wine_id}]}
    )

    split, rest = answer.document, await read(store, order)
    assert [(each["name"], each["quantity"]) for each in split["items"]] == [("Soup", 1), ("Wine", 1)]
    assert (split["total"], split["split_from"], split["status"], split["table_number"]) == (
        12.5,
        order["id"],
        "preparing",
        "4",
    )
    assert split["track_token"] != order["track_token"]
    assert split["number"] != order["number"]
    assert [(each["name"], each["quantity"]) for each in rest["items"]] == [("Soup", 2)]
    assert (rest["total"], rest["tip_amount"], rest["voided_items"]) == (11, 1, [])
    names = [name for name, _ in await published()]
    created = [data for name, data in await published() if name == "order.created"][-1]
    assert names[-3:] == ["order.created", "order.status_changed", "order.amended"]
    assert created["split_from"] == order["id"]


async def test_split_of_everything_is_refused(store, soup):
    order = await store.order(line(soup))

    answer = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][0]["id"]}]})

    assert (answer.status, list(answer.document["errors"])) == (422, ["lines"])
    assert await read(store, order) == order


async def test_split_below_what_was_paid_is_refused(store, soup, wine, pay):
    order = await store.order(line(soup), line(wine))
    await pay(order, 800)

    answer = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    assert (answer.status, answer.document["reason"], answer.document["refund_due"]) == (422, "refund_due", 3)
    assert len((await store.get("/orders")).document["data"]) == 1


async def test_split_and_merge_give_the_order_back(store, soup, wine):
    order = await store.order(line(soup, 2), line(wine))
    split = (
        await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})
    ).document

    merged = (await merge(store, order, split)).document

    assert (merged["total"], [each["name"] for each in merged["items"]]) == (order["total"], ["Soup", "Wine"])


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


async def test_any_amendments_price_like_an_order_of_the_lines(store):
    """Random rounds, voids, splits and merges: the totals are those of the lines that are left."""
    await store.send("PUT", "/settings", {"tax_rate": 19, "tax_included": False, "service_charge_percent": 12.5})
    rates = {1.99: 7, 3.33: 19, 7.77: 0}
    items = [await store.item(f"Dish {price}", price, tax_rate=rate) for price, rate in rates.items()]
    chance = random.Random(4711)
    for _ in range(6):
        order = await store.order(*(line(each, chance.randint(1, 3)) for each in items))
        for _ in range(5):
            path = f"/orders/{order['id']}"
            known = chance.choice(order["items"])
            match chance.choice(["add", "void", "split"]):
                case "add":
                    reply = await store.send("POST", f"{path}/lines", {"items": [line(chance.choice(items), 2)]})
                case "void":
                    body = {"quantity": 1, "reason": "Cold"}
                    reply = await store.send("POST", f"{path}/lines/{known['id']}/void", body)
                case "split":
                    body = {"lines": [{"line_id": known["id"], "quantity": 1}]}
                    split = await store.send("POST", f"{path}/split", body)
                    reply = await merge(store, order, split.document) if split.status == 201 else split
            assert reply.status in {200, 201, 422}, reply
            order = await read(store, order)
        left = [line({"id": each["item_id"]}, each["quantity"]) for each in order["items"]]
        quote = (await store.send("POST", "/orders/quote", {"type": "takeaway", "items": left})).document
        figures = ("subtotal", "discount_total", "service_charge", "tax_total", "total")
        assert {name: order[name] for name in figures} == {name: quote[name] for name in figures}
