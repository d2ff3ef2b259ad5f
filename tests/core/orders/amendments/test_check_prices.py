"""Discounts and comps that people give an open check, and its totals after any amendments."""

import random

import pytest
from comanda.devkit.testing.stores import line


@pytest.fixture
async def order(store):
    """An order of two soups and a wine, 17.50."""
    return await store.order(line(await store.item("Soup", 5), 2), line(await store.item("Wine", 7.5)))


async def give(store, order, **body):
    return await store.send("POST", f"/orders/{order['id']}/discounts", {"reason": "Waited", **body})


async def test_discount_in_percent_follows_the_lines(store, order):
    given = (await give(store, order, percent=10)).document
    line_id = order["items"][1]["id"]
    voided = (await store.send("POST", f"/orders/{order['id']}/lines/{line_id}/void", {"reason": "Corked"})).document

    assert (given["discount_total"], given["total"]) == (1.75, 15.75)
    assert given["discounts"] == [
        {"id": 1, "code": "discount", "reason": "Waited", "percent": 10, "amount": None, "line_id": None}
    ]
    assert (voided["discount_total"], voided["total"]) == (1, 9)


async def test_comp_of_a_line_costs_nothing(store, order):
    soup = order["items"][0]

    given = (await give(store, order, percent=100, line_id=soup["id"])).document

    assert (given["discounts"][0]["code"], given["total"]) == ("comp", 7.5)
    assert [each["line_total"] for each in given["items"]] == [0, 7.5]


async def test_comp_of_everything_pays_the_order(store, order, published):
    given = (await give(store, order, percent=100)).document

    assert (given["total"], given["is_paid"], given["payment_status"]) == (0, True, "paid")
    assert [name for name, _ in (await published())[-3:]] == ["order.created", "order.amended", "order.paid"]
    again = await give(store, order, amount=1)
    assert (again.status, again.document["reason"]) == (409, "order_paid")


async def test_discount_is_taken_back(store, order):
    await give(store, order, amount=2.5)

    taken = (await store.send("POST", f"/orders/{order['id']}/discounts/1/remove")).document
    missing = await store.send("POST", f"/orders/{order['id']}/discounts/1/remove")

    assert (taken["total"], taken["discounts"], missing.status) == (17.5, [], 404)


async def test_discount_of_a_voided_line_goes_with_it(store, order):
    soup = order["items"][0]
    await give(store, order, percent=50, line_id=soup["id"])

    voided = (await store.send("POST", f"/orders/{order['id']}/lines/{soup['id']}/void", {"reason": "Cold"})).document

    assert (voided["discounts"], voided["total"]) == ([], 7.5)


@pytest.mark.parametrize(
    "body", [{}, {"percent": 10, "amount": 1}, {"percent": 101}, {"amount": 0.001}, {"percent": 10, "reason": ""}]
)
async def test_discount_is_refused(store, order, body):
    answer = await give(store, order, **body)

    assert answer.status == 422
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_discount_of_a_line_of_another_order_is_not_found(store, order):
    other = await store.order(line(await store.item("Tea", 3)))

    assert (await give(store, order, percent=10, line_id=other["items"][0]["id"])).status == 404


async def test_service_charge_and_tax_follow_the_lines(store, owner):
    await store.send(
        "PUT",
        "/settings",
        {"tax_rate": 19, "is_tax_included": False, "service_charge_rate": 10, "service_charge_modes": ["takeaway"]},
    )
    soup, wine = await store.item("Soup", 5), await store.item("Wine", 7.5, tax_rate=7)
    order = await store.order(line(soup, 3), line(wine))
    at_once = await store.order(line(soup), line(wine, 2), line(soup))

    await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(wine)]})
    amended = (
        await store.send(
            "POST", f"/orders/{order['id']}/lines/{order['items'][0]['id']}/void", {"quantity": 1, "reason": "Cold"}
        )
    ).document

    figures = ("subtotal", "discount_total", "service_charge", "tax_total", "taxes", "total")
    assert {name: amended[name] for name in figures} == {name: at_once[name] for name in figures}


async def test_any_amendments_price_like_an_order_of_the_lines(store):
    """Random rounds, voids, splits and merges: the totals are those of the lines that are left."""
    await store.send(
        "PUT",
        "/settings",
        {"tax_rate": 19, "is_tax_included": False, "service_charge_rate": 12.5, "service_charge_modes": ["takeaway"]},
    )
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
                    reply = await store.send("POST", f"{path}/split", body)
                    if reply.status == 201:
                        reply = await store.send("POST", f"{path}/merge", {"order_id": reply.document["id"]})
            assert reply.status in {200, 201, 422}, reply
            order = (await store.get(path)).document
        left = [line({"id": each["item_id"]}, each["quantity"]) for each in order["items"]]
        quote = (await store.send("POST", "/orders/quote", {"type": "takeaway", "items": left})).document
        figures = ("subtotal", "discount_total", "service_charge", "tax_total", "taxes", "total")
        assert {name: order[name] for name in figures} == {name: quote[name] for name in figures}
