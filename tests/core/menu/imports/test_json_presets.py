"""Menus of other systems in JSON, recognized by their keys."""

import json

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.menu.imports.json_format import parse_json
from comanda.menu.schemas import MAX_PICTURES

DELIVERECT = {
    "accountId": "a",
    "products": [
        {"productType": 1, "plu": "P1", "name": "Mushroom Pie", "price": 1190, "description": "<b>Hot</b>",
            "deliveryTax": 9000, "takeawayTax": 9000, "subProducts": ["G1", "G9"], "posCategoryIds": ["c1"],
            "imageUrl": "https://img.example/pie.jpg", "capacityUsages": [1]},
        {"productType": 1, "plu": "P2", "name": "Lassi", "price": 350, "deliveryTax": 9000, "takeawayTax": 21000},
        {"productType": 4, "plu": "B1", "name": "Lunch Deal", "price": 1500, "posCategoryIds": ["c1"]},
        {"productType": 3, "plu": "G1", "name": "Crust", "min": 1, "max": 1, "subProducts": ["M1", "M2"]},
        {"productType": 2, "plu": "M1", "name": "Rye", "price": 0},
        {"productType": 2, "plu": "M2", "name": "Spelt", "price": 75, "subProducts": ["G1"]},
    ],
    "categories": [{"name": "Pies", "posCategoryId": "c1"}],
}  # fmt: skip
UBER = {
    "menus": [{"id": "m", "category_ids": ["c"]}],
    "categories": [
        {"id": "c", "title": {"translations": {"en": "Bowls"}}, "entities": [{"id": "i1"}, {"id": "i7"}]},
        {"id": "d", "title": {"translations": {"en": "Top"}}, "entities": [{"id": "i1"}]},
    ],
    "items": [
        {"id": "i1", "title": {"translations": {"en": "Rice Bowl"}}, "price_info": {"price": 950},
            "tax_info": {"tax_rate": 7.5}, "modifier_group_ids": {"ids": ["g"]}, "dish_info": {"classifications": {}}},
        {"id": "o1", "title": {"translations": {"en": "Tofu"}}, "price_info": {"price": 200}},
    ],
    "modifier_groups": [
        {"id": "g", "title": {"translations": {"en": "Extra"}}, "modifier_options": [{"id": "o1", "type": "ITEM"}],
            "quantity_info": {"quantity": {"min_permitted": 0, "max_permitted": 3}}},
    ],
}  # fmt: skip
HUBRISE = {
    "name": "Winter",
    "data": {
        "categories": [
            {"ref": "f", "name": "Food"}, {"ref": "s", "name": "Soups", "parent_ref": "f"},
            {"ref": "w", "name": "Weekend"}, {"ref": "t", "name": "Soups", "parent_ref": "w"},
        ],
        "products": [
            {"ref": "a", "category_ref": "s", "name": "Beet Soup", "tags": ["hot"],
                "skus": [{"ref": "a1", "name": "Cup", "price": "4.00 EUR", "option_list_refs": ["b"]},
                    {"ref": "a2", "name": "Bowl", "price": "6.50 EUR", "option_list_refs": ["b"]}]},
            {"ref": "z", "category_ref": "t", "name": "Onion Soup", "skus": [{"price": "5.00 EUR"}]},
        ],
        "option_lists": [
            {"ref": "b", "name": "Bread", "min_selections": 1, "max_selections": 2,
                "options": [{"name": "White", "price": "0.00 EUR"}, {"name": "Seed", "price": "0.80 EUR"}]},
        ],
    },
}  # fmt: skip
SCHEMA = {
    "@context": "https://schema.org",
    "@type": "Restaurant",
    "hasMenu": {
        "@type": "Menu",
        "hasMenuSection": [
            {"name": "Evening", "hasMenuSection": {"name": "Sweets", "hasMenuItem": [
                {"@type": "MenuItem", "name": "Plum Tart", "description": "With cream", "image": ["https://img.example/t"],
                    "offers": {"price": "4.50", "priceCurrency": "EUR"}, "suitableForDiet": "VegetarianDiet"},
                {"name": "Sorbet", "offers": [{"name": "One", "price": 2}, {"name": "Two", "price": 3.5}]},
                {"name": "Cheese"}]}},
        ],
    },
}  # fmt: skip


def read(menu, currency="EUR"):
    return parse_json(json.dumps(menu, indent=1).encode(), currency, 20_000)


def outline(document):
    return [
        (
            category.name,
            item.name,
            None if item.price is None else str(item.price),
            [(v.name, str(v.price)) for v in item.variations or []],
        )
        for category in document.categories
        for item in category.items
    ]


def list_choices(item):
    return [
        (group.name, group.min, group.max, [(extra.name, str(extra.price)) for extra in group.extras])
        for group in item.extra_groups
    ]


def messages(document):
    return [note.message for note in document.notes]


def test_deliverect_products_and_choices():
    document = read(DELIVERECT)

    assert document.source == "Deliverect"
    assert outline(document) == [("Pies", "Mushroom Pie", "11.9", []), ("Menu", "Lassi", "3.5", [])]
    pie = document.categories[0].items[0]
    assert (pie.description, str(pie.tax_rate), pie.gallery[0].url) == ("Hot", "9", "https://img.example/pie.jpg")
    assert list_choices(pie) == [("Crust", 1, 1, [("Rye", "0"), ("Spelt", "0.75")])]
    assert messages(document) == [
        "These fields are not taken: capacityUsages.",
        "The category is Menu, because the file has none.",
        "The tax of an item with several taxes is not taken.",
        "Choices within choices are not taken.",
        "The choices G9 are left out: they are not in the file.",
        "Lunch Deal is left out: it is made of other items.",
    ]
    assert document.notes[-1].line > document.notes[-2].line > 1


def test_pictures_beyond_the_limit_are_noted():
    urls = [f"https://img.example/{number}.jpg" for number in range(MAX_PICTURES + 1)]
    item = {"@type": "MenuItem", "name": "Pie", "image": urls, "offers": {"price": "9.50"}}
    document = read({"hasMenuSection": [{"name": "Pies", "hasMenuItem": [item]}]})

    assert [each.url for each in document.categories[0].items[0].gallery] == urls[:MAX_PICTURES]
    assert messages(document) == [f"Only the first {MAX_PICTURES} pictures of an item are taken."]


def test_uber_eats_entities_and_modifiers():
    document = read(UBER)

    assert document.source == "Uber Eats"
    assert outline(document) == [("Bowls", "Rice Bowl", "9.50", [])]
    bowl = document.categories[0].items[0]
    assert str(bowl.tax_rate) == "7.5"
    assert list_choices(bowl) == [("Extra", 0, 3, [("Tofu", "2.00")])]
    assert messages(document) == [
        "These fields are not taken: dish_info.",
        "Only the first one of several categories is taken.",
        "i7 is left out: it is not in the file.",
    ]
    assert outline(read(UBER, "JPY")) == [("Bowls", "Rice Bowl", "950", [])]


def test_hubrise_versions_and_categories_in_categories():
    document = read(HUBRISE)

    assert document.source == "HubRise"
    assert outline(document) == [
        ("Food: Soups", "Beet Soup", None, [("Cup", "4.00"), ("Bowl", "6.50")]),
        ("Weekend: Soups", "Onion Soup", "5.00", []),
    ]
    soup = document.categories[0].items[0]
    assert [version.sku for version in soup.variations] == ["a1", "a2"]
    assert list_choices(soup) == [("Bread", 1, 2, [("White", "0.00"), ("Seed", "0.80")])]
    assert messages(document) == ["These fields are not taken: tags."]


@pytest.mark.parametrize("wrap", [lambda menu: menu, lambda menu: {"@graph": [menu]}, lambda menu: {"menu": [menu]}])
def test_schema_org_sections_and_offers(wrap):
    document = read(wrap(SCHEMA))

    assert document.source == "schema.org"
    assert outline(document) == [
        ("Sweets", "Plum Tart", "4.50", []),
        ("Sweets", "Sorbet", None, [("One", "2"), ("Two", "3.5")]),
        ("Sweets", "Cheese", "0", []),
    ]
    assert document.open_prices == {"menu.0.items.2"}
    assert messages(document) == ["These fields are not taken: suitableForDiet."]


def test_another_currency_is_refused_with_the_line():
    with pytest.raises(ValidationFailed) as caught:
        read(HUBRISE, "USD")

    (key, *_), (sentences, *_) = zip(*caught.value.errors.items(), strict=True)
    assert key.startswith("line.")
    assert key.endswith(".menu.0.items.0.variations.0.price")
    assert sentences == ["This amount is in EUR; the store's are in USD."]


def test_choices_that_many_items_name_are_bounded():
    groups = [f"g{number}" for number in range(20)]
    menu = {
        **UBER,
        "categories": [{**UBER["categories"][0], "entities": [{"id": number} for number in range(1500)]}],
        "items": [
            {"id": number, "title": {"translations": {"en": f"Dish {number}"}}, "price_info": {"price": 1},
                "modifier_group_ids": {"ids": groups}}
            for number in range(1500)
        ],
        "modifier_groups": [
            {"id": group, "title": {"translations": {"en": group}},
                "modifier_options": [{"id": number} for number in range(90)]}
            for group in groups
        ],
    }  # fmt: skip

    with pytest.raises(ValidationFailed) as caught:
        read(menu)

    assert "A menu may have at most 100,000 items and choices." in str(caught.value.errors)


def test_own_menus_are_of_no_other_system():
    menu = {"categories": [{"name": "Soups", "items": [{"name": "Leek Soup", "price": "4.00"}]}]}

    assert read(menu).source is None
