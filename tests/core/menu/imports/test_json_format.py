"""Menus as JSON."""

import time

import pytest
from comanda.basics.errors import ComandaError, ValidationFailed
from comanda.menu.imports.json_format import parse_json, to_json_file
from comanda.menu.imports.schemas import MAX_BYTES
from menus import import_menu, read_menu, to_counts


async def test_invalid_json_is_refused_with_its_line(store):
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    headers = {**store.owner.auth, "Content-Type": "application/json"}
    for raw, sentence in (
        (b'{"menu": [\n  {"name": }\n]}', "Line 2, column 12"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"menu": [{"name": "\xff"}]}', "Line 1: this file is not UTF-8"),
        (b"", "Line 1, column 1"),
    ):
        response = await store.client.post(path, headers=headers, data=raw)
        assert response.status_code == 400, raw[:20]
        assert sentence in (await response.get_json())["message"]


async def test_prices_never_pass_through_a_float(store):
    raw = b'{"menu": [{"name": "A", "items": [{"name": "B", "price": 123456789.0100000000000000001}]}]}'
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    response = await store.client.post(path, headers={**store.owner.auth, "Content-Type": "application/json"}, data=raw)

    # As a float this would be 123456789.01.
    assert response.status_code == 422


@pytest.mark.parametrize(
    ("menu", "field"),
    [
        ({"products": [{"name": "B"}], "categories": [{"name": "A"}]}, "products"),
        ({"menu": [{"name": "A", "items": []}], "categories": []}, "categories"),
        ({"menu": [{"name": "A", "posCategoryId": "1", "items": []}]}, "menu.0.posCategoryId"),
        ({"menu": [{"name": "A", "posCategoryId": "1"}]}, "menu.0.posCategoryId"),
        ({"menu": [{"name": "A", "items": [{"name": "B", "price": 1, "plu": "P"}]}]}, "menu.0.items.0.plu"),
    ],
)
async def test_unknown_keys_are_refused(store, menu, field):
    await import_menu(store)
    before = await read_menu(store)

    refused = await store.send("POST", "/menu/import", {**menu, "remove_missing": True})

    assert refused.errors == {field: ["There is no such field."]}
    assert await read_menu(store) == before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_files_with_a_byte_order_mark_are_read(store, encoding):
    headers = {**store.owner.auth, "Content-Type": "application/json"}
    raw = '[{"name": "Süß", "items": []}]'.encode(encoding)

    done = await store.client.post(f"/api/v1/restaurants/{store.id}/menu/import", headers=headers, data=raw)

    assert done.status_code == 200
    assert [each["name"] for each in await read_menu(store)] == ["Süß"]


async def test_the_menu_as_it_is_read_can_be_imported(store):
    await import_menu(store)

    assert to_counts(await import_menu(store, await read_menu(store))) == (0, 0, 3, 0)


def test_lines_are_those_on_which_objects_begin():
    raw = b"""{"x": "}{\\"", "menu": [
        {"name": "A", "items": [{"name": "{"},
            {"name": "\\\\", "variations": [
                {"name": "S", "price": 1}]}
        ]}]}"""

    with pytest.raises(ValidationFailed) as refused:
        parse_json(raw, "EUR", 100, by_line=True)
    document = parse_json(raw[:1] + raw[raw.index(b'"menu"') :], "EUR", 100, by_line=True)

    assert list(refused.value.errors) == ["line.1.x"]
    paths = ["menu.0", "menu.0.items.0", "menu.0.items.1", "menu.0.items.1.variations.0"]
    assert [document.get_line(path) for path in paths] == [2, 2, 3, 4]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"menu":[],' + b",".join(b'"%d":1' % number for number in range(100_000)) + b"}",
        b'{"menu":[{"name":"A","items":[' + b",".join([b"{}"] * 80_000) + b"]}]}",
        b'{"menu":[{"name":"A","items":[{"name":"B","price":1,"variations":[' + b",".join([b"{}"] * 80_000) + b"]}]}]}",
        b'{"menu":[{"name":"A","items":[{"name":"B","price":1,"variations":[{"name":"C","price":1,"options":{'
        + b",".join(b'"%d":1' % number for number in range(100_000)) + b"}}]}]}]}",
        b'{"menu":[{"name":"A","items":[{"name":"B","price":0.' + b"1" * 4_000_000 + b"}]}]}",
        b'{"menu":[{"name":"A","items":[' + b",".join([b'{"price":%s}' % (b"1" * 4200)] * 900) + b"]}]}",
        b'{"menu":[' + b"1," * 300_000 + b"1]}",
        b'{"x":"' + b'\\"' * 2_000_000 + b'"}',
    ],
    ids=["keys", "items", "variants", "options", "digits", "integers", "values", "quotes"],
)  # fmt: skip
def test_what_is_too_large_is_refused_in_short_time(raw):
    begun = time.process_time()

    with pytest.raises(ComandaError) as refused:
        parse_json(raw, "EUR", 20_000)

    assert time.process_time() - begun < 2
    assert refused.value.status in {400, 422}
    assert len(getattr(refused.value, "errors", {})) <= 200


def test_the_export_of_a_large_menu_fits_the_import():
    item = {
        "price": "9.50", "description": "A sentence about it, as menus have it. " * 3, "image_url": None, "tax_rate": 7,
        "is_active": True, "is_popular": False, "is_sold_out": False, "position": 1, "allow_backorder": False,
        "variations": [
            {"name": f"Size {number}", "sku": None, "barcode": None, "options": {}, "stock": None, "is_active": True,
             "price": "9.50", "compare_at_price": None}
            for number in range(3)
        ],
        "extra_groups": [],
    }  # fmt: skip
    categories = [
        {"name": f"Category {place}", "position": place, "is_active": True,
         "items": [{"name": f"Item {number}", **item} for number in range(100)]}
        for place in range(200)
    ]  # fmt: skip
    raw = to_json_file(categories)

    document = parse_json(raw, "EUR", 20_000)

    assert len(raw) < MAX_BYTES
    assert sum(len(category.items) for category in document.categories) == 20_000
