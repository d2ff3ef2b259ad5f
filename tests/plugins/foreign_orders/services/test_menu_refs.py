"""Items of orders are found by SKU, by id, and by a name that only one of them has."""

import pytest
from comanda.devkit.testing import TestStore

from tests.plugins.hubrise.fake_hubrise import ordered


@pytest.fixture
async def pizza(store):
    groups = [{"name": "Sauce", "min": 0, "max": 3, "allows_repeats": True, "extras": [
        {"name": "Hot", "price": 0.5}, {"name": "Garlic", "price": 0.7}]}]  # fmt: skip
    made = await store.item("Pizza", 4, extra_groups=groups)
    made["small"] = await store.add_variant(made, name="Small", price=4, sku="PIZ-S")
    made["large"] = await store.add_variant(made, name="Large", price=6)
    made["extras"] = {extra["name"]: extra["id"] for extra in made["extra_groups"][0]["extras"]}
    return made


async def place(store, item, total="5.00 EUR"):
    found = await store.receive(store.add_order(item, total=total))
    if found["order_id"] is None:
        return found["reason"]
    return (await store.get(f"/orders/{found['order_id']}"))["items"][0]


async def test_variation_is_found_by_sku(store, pizza):
    line = await place(store, ordered("PIZ-S"))

    assert (line["name"], line["variation"]["name"], line["unit_price"]) == ("Pizza", "Small", 5.0)


async def test_variation_is_found_by_id(store, pizza):
    line = await place(store, ordered(f"variation-{pizza['large']['id']}"))

    assert line["variation"]["name"] == "Large"


async def test_item_is_found_by_its_only_name(store):
    line = await place(store, ordered("7731", product_name="soup"))

    assert line["name"] == "Soup"


async def test_name_that_two_items_have_is_refused(store):
    await store.item("Soup", 6)

    reason = await place(store, ordered("7731", product_name="Soup"))

    assert reason == "The menu has no item Soup with the reference 7731."


async def test_options_are_extras_by_id_and_name_as_often_as_chosen(store, pizza):
    options = [
        {"name": "Spicy", "ref": f"extra-{pizza['extras']['Hot']}", "price": "0.50 EUR", "quantity": 2},
        {"name": "garlic", "ref": "GAR", "price": "1.00 EUR"},
        {"name": "Onions", "price": "0.00 EUR", "removed": True},
    ]

    line = await place(store, ordered("PIZ-S", options=options), total="7.00 EUR")

    assert [(extra["name"], extra["quantity"]) for extra in line["extras"]] == [("Hot", 2), ("Garlic", 1)]
    assert (line["unit_price"], line["note"]) == (7.0, "\N{MINUS SIGN} Onions")


async def test_unknown_option_is_refused(store, pizza):
    reason = await place(store, ordered("PIZ-S", options=[{"name": "Nuts", "ref": "NUT", "price": "1.00 EUR"}]))

    assert reason == "Pizza has no option Nuts with the reference NUT."


async def test_item_of_another_store_is_refused(store, other_owner, client):
    foreign = await TestStore(client, other_owner, await other_owner.store()).item("Caviar", 90)

    reason = await place(store, ordered(f"item-{foreign['id']}", product_name="Caviar"))

    assert reason.startswith("The menu has no item Caviar")
