"""The pharmacy vertical: what it declares, items with an age, and the orders that must confirm it."""

import pytest
from comanda.contracts.verticals import VerticalGroup
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore, line
from comanda_pharmacy import plugin


@pytest.fixture
async def pharmacy(client, owner):
    return TestStore(client, owner, await owner.store("pharmacy"))


def test_it_offers_one_store_type_of_the_goods_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("pharmacy", VerticalGroup.GOODS)
    assert vertical.fulfillment_modes == ("in_store", "pickup_slot", "ship", "delivery")
    assert set(vertical.capabilities) == {"brand", "stock", "variants", "age_gate", "expiry", "shipping"}


async def test_a_store_tells_what_it_can_do(pharmacy):
    vertical = (await pharmacy.get())["vertical"]

    on = {name for name, is_on in vertical["capabilities"].items() if is_on}
    assert on == {"brand", "stock", "variants", "age_gate", "expiry", "shipping"}
    assert vertical["fulfillment_modes"] == ["in_store", "pickup_slot", "ship", "delivery"]


@pytest.mark.parametrize("age", [1, 18, 120, None])
async def test_an_age_is_kept_and_shown_to_its_owner_and_on_the_menu(pharmacy, age):
    gum = await pharmacy.item("Gum", age_min=age)

    assert gum["age_min"] == age
    assert (await pharmacy.get(f"/menu/items/{gum['id']}"))["age_min"] == age
    assert [item["age_min"] for category in await pharmacy.public_menu() for item in category["items"]] == [age]


async def test_an_age_stays_unless_it_is_changed_and_null_takes_it_away(pharmacy):
    gum = await pharmacy.item("Gum", age_min=18)

    kept = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"price": 6})
    gone = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"age_min": None})

    assert (kept["age_min"], gone["age_min"]) == (18, None)
    assert (await pharmacy.place(line(gum), type="in_store")).status == 201


@pytest.mark.parametrize("age", [0, -1, 121, 17.5, "old", True, [18], 10**30])
async def test_what_is_no_age_is_refused(pharmacy, age):
    body = {"name": "Gum", "price": 5, "category_id": await pharmacy.category(), "age_min": age}

    reply = await pharmacy.send("POST", "/menu/items", body)

    assert list(reply.errors) == ["age_min"]
    assert await pharmacy.public_items() == []


@pytest.mark.parametrize("given", [{}, {"age_confirmed": False}, {"age_confirmed": None}])
@pytest.mark.parametrize("mode", ["in_store", "ship"])
async def test_an_order_for_an_item_with_an_age_must_confirm_it(pharmacy, published, mode, given):
    gum = await pharmacy.item("Nicotine gum", age_min=18, stock=5)
    before = await published()

    reply = await pharmacy.place(line(gum, 2), type=mode, **given)

    sentence = "Nicotine gum is sold from the age of 18: confirm that the customer is old enough."
    assert (reply["message"], reply.errors) == (sentence, {"age_confirmed": [sentence]})
    assert (await pharmacy.get("/orders"))["total"] == 0
    assert (await pharmacy.get(f"/menu/items/{gum['id']}"))["stock"] == 5
    assert await published() == before


@pytest.mark.parametrize("given", ["true", "yes", 1, [True], {}])
async def test_nothing_but_true_confirms_an_age(pharmacy, given):
    gum = await pharmacy.item("Gum", age_min=18)

    reply = await pharmacy.place(line(gum), type="in_store", age_confirmed=given)

    assert list(reply.errors) == ["age_confirmed"]
    assert (await pharmacy.get("/orders"))["total"] == 0


async def test_each_item_with_an_age_is_named_once(pharmacy):
    ages = {"Gum": 18, "Syrup": 16, "Plaster": None}
    gum, syrup, plaster = [await pharmacy.item(name, age_min=age) for name, age in ages.items()]

    reply = await pharmacy.place(line(gum), line(plaster), line(syrup), line(gum), type="in_store")

    assert reply.errors == {
        "age_confirmed": [
            "Gum is sold from the age of 18: confirm that the customer is old enough.",
            "Syrup is sold from the age of 16: confirm that the customer is old enough.",
        ]
    }


async def test_a_confirmation_is_kept_with_the_order(pharmacy):
    gum = await pharmacy.item("Gum", age_min=18)

    order = await pharmacy.order(line(gum), type="ship", age_confirmed=True)

    assert (order["age_confirmed"], order["address_missing"]) == (True, True)
    assert (await pharmacy.get(f"/orders/{order['id']}"))["age_confirmed"] is True


@pytest.mark.parametrize("given", [{}, {"age_confirmed": True}, {"age_confirmed": False}])
async def test_orders_without_such_items_say_nothing_of_ages(pharmacy, given):
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store", **given)

    assert "age_confirmed" not in order
    assert "age_confirmed" not in (await pharmacy.get(f"/orders/{order['id']}")).document


async def test_an_age_counts_from_the_moment_it_is_set(pharmacy):
    gum = await pharmacy.item("Gum")
    await pharmacy.order(line(gum), type="in_store")

    await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"age_min": 18})

    assert list((await pharmacy.place(line(gum), type="in_store")).errors) == ["age_confirmed"]


async def test_stores_of_other_types_ask_for_no_age(store):
    wine = await store.item("Wine", age_min=18)

    order = await store.order(line(wine), age_confirmed=True)

    assert "age_min" not in wine
    assert "age_confirmed" not in order
    assert await sql.fetch_value("SELECT attributes FROM core_order WHERE id = $1", order["id"]) is None
