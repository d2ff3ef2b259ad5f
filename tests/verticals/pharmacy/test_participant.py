"""Orders of age-restricted items."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.mark.parametrize("given", [{}, {"age_confirmed": False}, {"age_confirmed": None}])
@pytest.mark.parametrize("mode", ["in_store", "ship"])
async def test_age_restricted_order_requires_confirmation(pharmacy, published, mode, given):
    gum = await pharmacy.item("Nicotine gum", age_min=18, stock=5)
    before = await published()

    reply = await pharmacy.place(line(gum, 2), type=mode, **given)

    sentence = "Nicotine gum is sold from the age of 18: confirm that the customer is old enough."
    assert (reply["message"], reply.errors) == (sentence, {"age_confirmed": [sentence]})
    assert (await pharmacy.get("/orders"))["total"] == 0
    assert (await pharmacy.get(f"/menu/items/{gum['id']}"))["stock"] == 5
    assert await published() == before


async def test_each_age_restricted_item_is_named_once(pharmacy):
    ages = {"Gum": 18, "Syrup": 16, "Plaster": None}
    gum, syrup, plaster = [await pharmacy.item(name, age_min=age) for name, age in ages.items()]

    reply = await pharmacy.place(line(gum), line(plaster), line(syrup), line(gum), type="in_store")

    assert reply.errors == {
        "age_confirmed": [
            "Gum is sold from the age of 18: confirm that the customer is old enough.",
            "Syrup is sold from the age of 16: confirm that the customer is old enough.",
        ]
    }


async def test_age_confirmation_is_kept_with_the_order(pharmacy):
    gum = await pharmacy.item("Gum", age_min=18)

    order = await pharmacy.order(line(gum), type="ship", age_confirmed=True)

    assert (order["age_confirmed"], order["address_missing"]) == (True, True)
    assert (await pharmacy.get(f"/orders/{order['id']}"))["age_confirmed"] is True


@pytest.mark.parametrize("given", [{}, {"age_confirmed": True}, {"age_confirmed": False}])
async def test_other_orders_keep_no_age_confirmation(pharmacy, given):
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store", **given)

    assert "age_confirmed" not in order
    assert "age_confirmed" not in (await pharmacy.get(f"/orders/{order['id']}")).document


async def test_age_applies_once_it_is_set(pharmacy):
    gum = await pharmacy.item("Gum")
    await pharmacy.order(line(gum), type="in_store")

    await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"age_min": 18})

    assert list((await pharmacy.place(line(gum), type="in_store")).errors) == ["age_confirmed"]


async def test_other_store_types_require_no_age(store):
    wine = await store.item("Wine", age_min=18)

    order = await store.order(line(wine), age_confirmed=True)

    assert "age_min" not in wine
    assert "age_confirmed" not in order
    assert await sql.fetch_value("SELECT attributes FROM core_order WHERE id = $1", order["id"]) is None
