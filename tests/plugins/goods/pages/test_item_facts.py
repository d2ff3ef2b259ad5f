"""What guests read beside the price of goods, and about their maker."""

import pytest
from comanda.platform.db import sql
from comanda.web import use_language
from comanda_goods.pages.item_facts import (
    describe_manufacturer,
    list_price_facts,
    list_safety_facts,
    list_weight_facts,
)

LARGE = [{"name": "2 KG", "content_unit": "kg", "content": 2}]
RICE = {
    "price": 2.4,
    "content_unit": "g",
    "content": 500,
    "variations": [{"name": "500 g", "price": 2.4}, {"name": "2 kg", "price": 7.99}],
    "variation_packaging": LARGE,
}


@pytest.mark.parametrize(
    ("price", "unit", "content", "text"),
    [
        (2.49, "g", 250, "€9.96/kg"),
        (1.99, "kg", 1.5, "€1.33/kg"),
        (0.89, "ml", 330, "€2.70/l"),
        (12, "l", 0.75, "€16.00/l"),
        (3, "cm", 150, "€2.00/m"),
        (30, "m2", 2.5, "€12.00/m²"),
        (1, "piece", 3, "€0.33 per piece"),
        (0.005, "kg", 1, "€0.01/kg"),
    ],
)
def test_unit_prices_are_rounded_to_the_currency(price, unit, content, text):
    assert list_price_facts({"price": price, "content_unit": unit, "content": content}, None, "EUR") == [text]


def test_unit_prices_of_currencies_without_decimals():
    assert list_price_facts({"price": 100, "content_unit": "g", "content": 150}, None, "JPY") == ["¥667/kg"]


def test_the_lowest_unit_price_is_listed_and_each_stands_at_its_variation():
    assert list_price_facts(RICE, None, "EUR") == ["from €4.00/kg"]
    assert list_price_facts(RICE, "500 g", "EUR") == ["€4.80/kg"]
    assert list_price_facts(RICE, "2 kg", "EUR") == ["€4.00/kg"]


def test_variations_in_different_units_are_not_compared():
    values = {**RICE, "variation_packaging": [{"name": "2 kg", "content_unit": "l", "content": 2}]}

    assert list_price_facts(values, None, "EUR") == []


def test_deposits_stand_beside_the_price():
    bottle = {"price": 1.1, "content_unit": "l", "content": 1, "container_deposit": 0.25}
    crate = {
        **bottle,
        "variations": [{"name": "Bottle", "price": 1.1}, {"name": "Crate", "price": 12}],
        "variation_packaging": [{"name": "Crate", "content_unit": "l", "content": 12, "container_deposit": 4.5}],
    }

    assert list_price_facts(bottle, None, "EUR") == ["€1.10/l", "plus €0.25 container deposit"]
    assert list_price_facts(crate, None, "EUR") == ["from €1.00/l", "plus container deposit"]
    assert list_price_facts(crate, "Crate", "EUR") == ["€1.00/l", "plus €4.50 container deposit"]


@pytest.mark.parametrize("values", [{"price": 4}, {"price": 4, "content_unit": "g"}, {"price": 4, "variations": []}])
def test_items_without_packaging_have_nothing_beside_their_price(values):
    assert list_price_facts(values, None, "EUR") == []


async def test_prices_are_in_the_language_of_the_guest(client):
    with use_language("de"):
        assert list_price_facts(RICE, None, "EUR") == ["ab 4,00\xa0€/kg"]


def test_safety_facts_are_shown_as_they_are():
    values = {"manufacturer": "Luzia", "manufacturer_contact": "Rua 1, Porto", "safety_warnings": "Hot when lit."}

    assert list(list_safety_facts(values).items()) == [
        ("Manufacturer", "Luzia"), ("Address of the manufacturer", "Rua 1, Porto"), ("Warnings", "Hot when lit."),
    ]  # fmt: skip
    assert describe_manufacturer(values) == {"manufacturer": {"@type": "Organization", "name": "Luzia"}}
    assert (list_safety_facts({}), describe_manufacturer({"brand": "Luzia"})) == ({}, {})


async def test_pages_show_what_stands_at_the_price(shop, client):
    rice = await shop.item("Rice", 2.4, content_unit="g", content=500, manufacturer="Arroz", variation_packaging=LARGE)
    for name, price in (("500 g", 2.4), ("2 kg", 7.99)):
        await shop.send("POST", f"/menu/items/{rice['id']}/variants", {"name": name, "price": price})
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", shop.id, shop.owner.id)
    path = f"/s/{slug}"

    details = await (await client.get(f"{path}/items/{rice['id']}/details")).get_json()
    page = await (await client.get(f"{path}/items/{rice['id']}")).get_data(as_text=True)
    text = await (await client.get(f"{path}.md")).get_data(as_text=True)

    assert details["facts"] == ["from €4.00/kg"]
    assert [each["facts"] for each in details["variations"]] == ["€4.80/kg", "€4.00/kg"]
    assert details["tables"] == [{"title": "Manufacturer and safety", "rows": [["Manufacturer", "Arroz"]]}]
    assert '"manufacturer"' in page
    assert "from €4.00/kg" in await (await client.get(path)).get_data(as_text=True)
    assert "from €4.00/kg" in text


def test_what_is_sold_by_weight_has_the_price_of_a_kilogram():
    cheese = {"price": 12.9, "is_priced_per_kg": True, "usual_weight_g": 400, "content_unit": "g", "content": 300}
    kinds = [{"name": "Young", "price": 12.9}, {"name": "Old", "price": 20}]

    assert list_weight_facts(cheese, None, "EUR") == ["€12.90/kg", "about 0.400 kg each"]
    assert list_weight_facts({**cheese, "variations": kinds}, None, "EUR")[0] == "from €12.90/kg"
    assert list_weight_facts({**cheese, "variations": kinds}, "Old", "EUR")[0] == "€20.00/kg"
    assert (list_price_facts(cheese, None, "EUR"), list_weight_facts({"price": 4}, None, "EUR")) == ([], [])
