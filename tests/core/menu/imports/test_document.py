"""Validation of menus to import."""

import pytest
from comanda.basics.encoding import to_json
from comanda.basics.errors import ValidationFailed
from comanda.menu.imports.csv_format import parse_csv
from comanda.menu.imports.json_format import parse_json
from menus import import_menu, read_menu

WRONG = [
    ([{"name": "A", "items": [{"name": "B", "price": -1}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": 1.234}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": "9,50"}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": True}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B"}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": " ", "price": 1}]}], "menu.0.items.0.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1}, {"name": "b", "price": 1}]}], "menu.0.items.1.name"),
    ([{"name": "A", "items": []}, {"name": "a", "items": []}], "menu.1.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "calories": "many"}]}], "menu.0.items.0.calories"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "variations": [
        {"name": "X", "price": 1, "sku": "S"}, {"name": "Y", "price": 1, "sku": "S"}]}]}],
        "menu.0.items.0.variations.1.sku"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "variations": [
        {"name": "X", "price": 1}, {"name": "x", "price": 1}]}]}], "menu.0.items.0.variations.1.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "extra_groups": [
        {"name": "G", "min": 2, "max": 1}]}]}], "menu.0.items.0.extra_groups.0.max"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "gallery": [
        {"url": f"http://comanda.test/photos/1/{'a' * 64}-320.webp"}]}]}], "menu.0.items.0.gallery.0.url"),
    ("x", "menu"),
]  # fmt: skip


@pytest.mark.parametrize(("menu", "field"), WRONG)
@pytest.mark.parametrize("dry_run", [True, False])
async def test_one_invalid_field_refuses_the_whole_menu(store, published, menu, field, dry_run):
    right = [{"name": "First", "items": [{"name": "Right", "price": 1}]}]
    whole = menu if menu == "x" or len(menu) != 1 else [*menu, *right]

    refused = await import_menu(store, whole, dry_run=dry_run)

    assert list(refused.errors) == [field]
    assert (await read_menu(store), await published()) == ([], [])


def test_more_items_than_the_limit_are_refused_alone():
    menu = [{"name": f"C{place}", "items": [{"name": "", "price": 1}] * 2} for place in range(2)]
    table = "category,name,price\n" + "".join(f"A,B{number},1\n" for number in range(4))

    for parse in (lambda: parse_json(to_json(menu), "EUR", 3), lambda: parse_csv(table.encode(), [], "EUR", 3)):
        with pytest.raises(ValidationFailed) as refused:
            parse()
        assert refused.value.errors == {"menu": ["A menu may have at most 3 items."]}
