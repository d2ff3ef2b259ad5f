"""What promotions cost an order, in statements."""

import asyncio

import pytest
from comanda.basics import ValidationFailed
from comanda.contracts import Person
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_coupons.erasure import erase_personal_data

PHONE = "+351 912 345 678"
WELCOME = {"name": "Welcome", "first_order_only": True}


@pytest.fixture
def count_statements(monkeypatch):
    """Return a function that places an order with a warm menu and returns the statements that this takes."""
    seen = []
    acquire = sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    async def count(shop, **fields):
        await shop.order(line(shop.soup))
        seen.clear()
        await shop.order(line(shop.soup), **fields)
        return [text for text in seen if "pg_notify" not in text]

    return count


async def test_promotion_without_limit_costs_an_order_no_statement(shop, count_statements):
    before = await count_statements(shop)
    await shop.promotion(valid_at=[{"from": "08:00", "until": "10:00"}])

    after = await count_statements(shop)

    assert after == before
    assert [text for text in after if "coupons_" in text] == []


async def test_only_orders_that_use_a_limit_are_counted(shop, count_statements):
    await shop.promotion(usage_limit=5, item_ids=[shop.cake["id"]])
    assert [text for text in await count_statements(shop) if "coupons_" in text] == []

    await shop.promotion(usage_limit=5, item_ids=[shop.soup["id"]])
    assert len([text for text in await count_statements(shop) if "coupons_" in text]) == 3


async def test_guest_is_looked_up_only_for_promotions_for_some(shop, count_statements):
    await shop.promotion(first_order_only=True, ends_at="2030-01-07T09:00:00Z")
    assert [text for text in await count_statements(shop, phone="912345678") if "regexp_replace" in text] == []

    await shop.promotion(first_order_only=True)
    looked_up = [text for text in await count_statements(shop, phone="987654321") if "regexp_replace" in text]
    # Before pricing, and again under the lock.
    assert len(looked_up) == 2


async def get_total(shop, **fields):
    return (await shop.place_order(line(shop.soup), code=None, **fields))["total"]


async def test_first_order_of_a_known_guest_costs_less(shop):
    await shop.promotion(**WELCOME)

    assert await get_total(shop) == 10
    assert await get_total(shop, phone=PHONE) == 9
    assert await get_total(shop, phone="912345678") == 10
    await shop.sign_in_customer()
    assert await get_total(shop) == 9
    assert await get_total(shop) == 10


async def test_cancelled_order_was_no_first_order(shop):
    promotion = await shop.promotion(**WELCOME)
    order = await shop.place_order(line(shop.soup), code=None, phone=PHONE)
    await shop.set_status(order["id"], "cancelled")

    assert await get_total(shop, phone=PHONE) == 9
    assert (await shop.get(f"/promotions/{promotion['id']}"))["used_count"] == 1


async def test_each_guest_has_it_so_often(shop):
    await shop.promotion(per_customer_limit=2)

    assert [await get_total(shop, phone=PHONE) for _ in range(3)] == [9, 9, 10]
    assert await get_total(shop, phone="911111111") == 9


async def test_quote_knows_the_guest(shop):
    await shop.promotion(**WELCOME)
    body = {"type": "takeaway", "items": [line(shop.soup)]}

    unknown = await shop.send("POST", "/orders/quote", body)
    known = await shop.send("POST", "/orders/quote", {**body, "phone": PHONE})

    assert (unknown["total"], known["total"]) == (10, 9)


async def test_eight_first_orders_at_once_are_one(shop):
    promotion = await shop.promotion(**WELCOME)
    orders = [shop.place_order(line(shop.soup), code=None, phone=PHONE) for _ in range(8)]

    results = await asyncio.gather(*orders, return_exceptions=True)

    refused = [each for each in results if isinstance(each, Exception)]
    assert all(isinstance(each, ValidationFailed) for each in refused), refused
    assert {each.extras["reason"] for each in refused} <= {"promotion_over"}
    assert [each["total"] for each in results if each not in refused].count(9) == 1
    assert (await shop.get(f"/promotions/{promotion['id']}"))["used_count"] == 1


async def test_amended_order_keeps_its_welcome(shop):
    await shop.promotion(**WELCOME)
    order = await shop.place_order(line(shop.soup), code=None, phone=PHONE)

    amended = await shop.amend(order, "lines", {"items": [line(shop.cake)]})

    assert (order["total"], amended["total"]) == (9, 13)


async def test_erased_phone_counts_as_new(shop):
    await shop.promotion(per_customer_limit=1)
    await get_total(shop, phone=PHONE)
    orders = frozenset(order["id"] for order in (await shop.get("/orders"))["data"])
    await erase_personal_data(Person(shop.owner.id, shop.id, 0, frozenset({PHONE}), frozenset(), orders))

    assert await get_total(shop, phone=PHONE) == 9
