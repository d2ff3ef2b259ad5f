"""The largest tip and the largest total of an order."""

from dataclasses import replace

import pytest
from comanda.devkit.testing.stores import line
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.mark.parametrize(("quantity", "largest"), [(1, 1000), (20, 1000), (21, 1050), (999, 49_950)])
async def test_tip_is_limited_by_subtotal_or_a_thousand(store, soup, quantity, largest):
    generous = await store.place(line(soup, quantity), tip_amount=largest)
    absurd = await store.place(line(soup, quantity), tip_amount=largest + 0.01)

    assert generous.status == 201
    assert (generous["tip_amount"], generous["total"]) == (largest, largest + 5 * quantity)
    assert absurd.errors == {"tip_amount": [f"A tip may be at most {largest}.00."]}


@pytest.fixture
def limit(app):
    """Let orders come to so many minor units."""
    before = runtime_module.current()

    def set_limit(minor):
        settings = before.settings.model_copy(update={"max_order_total_minor": minor})
        runtime_module.use(replace(before, settings=settings))

    yield set_limit
    runtime_module.use(before)


async def count_orders(store):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", store.id)


async def attempt(store, *lines, **fields):
    return await store.send("POST", "/orders", {"type": "takeaway", "items": list(lines), **fields})


async def test_order_total_is_limited(store, limit):
    limit(2000)
    soup = await store.item("Soup", 10)

    at_limit = await attempt(store, line(soup, 2))
    beyond = await attempt(store, line(soup, 2), tip_amount=0.01)

    assert (at_limit.status, at_limit["total"]) == (201, 20)
    assert (beyond.status, beyond["code"]) == (422, "validation_failed")
    assert beyond.errors == {"items": ["An order may total at most 20.00 EUR; this one totals 20.01 EUR."]}
    assert await count_orders(store) == 1


async def test_limit_fits_the_columns(store):
    gold = await store.item("Gold", 10**10)

    beyond = await attempt(store, line(gold, 999))

    assert (beyond.status, list(beyond.errors)) == (422, ["items"])
    assert "at most 10000000000.00 EUR; this one totals 9990000000000.00 EUR" in beyond.errors["items"][0]
    assert await count_orders(store) == 0
    assert (await attempt(store, line(gold))).status == 201
