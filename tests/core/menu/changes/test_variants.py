"""Variants and their SKUs."""

import pytest
from comanda.devkit.testing.stores import TestStore

LARGE = {
    "name": "Large",
    "sku": "LAMP-L",
    "barcode": "4006381333931",
    "options": {"size": "L"},
    "price": 12.5,
    "compare_at_price": 15,
    "stock": 4,
    "is_active": True,
    "position": 2,
}


@pytest.fixture
async def lamp(bazaar):
    return await bazaar.item("Lamp")


@pytest.fixture
def path(lamp):
    return f"/menu/items/{lamp['id']}/variants"


async def test_variant_can_be_created_read_updated_and_deleted(bazaar, lamp, path):
    made = await bazaar.send("POST", path, LARGE)
    small = await bazaar.send("POST", path, {"name": "Small", "price": 7})
    variant_id = made["id"]

    assert (made.status, made.document) == (201, {"id": variant_id, "item_id": lamp["id"], **LARGE})
    assert small.document == {
        "id": small["id"],
        "item_id": lamp["id"],
        "name": "Small",
        "price": 7,
        "sku": None,
        "barcode": None,
        "options": {},
        "compare_at_price": None,
        "stock": None,
        "is_active": True,
        "position": 0,
    }
    assert (await bazaar.get(f"{path}/{variant_id}")).document == made.document
    listed = (await bazaar.get(path)).document
    assert listed == {
        "data": [small.document, made.document],
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
        "total": 2,
    }
    assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["variants_count"] == 2

    changed = await bazaar.send("PUT", f"{path}/{variant_id}", {"price": 13, "stock": None, "name": None})
    assert changed.document == {**made.document, "price": 13, "stock": None}
    assert (await bazaar.send("DELETE", f"{path}/{variant_id}")).status == 204
    assert (await bazaar.send("GET", f"{path}/{variant_id}")).status == 404
    assert (await bazaar.get(path))["total"] == 1


async def test_variant_changes_emit_menu_updated_for_the_item(bazaar, lamp, path, published):
    before = len(await published())
    made = await bazaar.send("POST", path, LARGE)
    await bazaar.send("PUT", f"{path}/{made['id']}", {"price": 1})
    await bazaar.send("DELETE", f"{path}/{made['id']}")

    data = {"restaurant_id": bazaar.id, "change": "updated", "entity": "item", "id": lamp["id"]}
    assert (await published())[before:] == [("menu.updated", data)] * 3


async def test_skus_are_unique_per_store(bazaar, owner, client, path):
    other_path = f"/menu/items/{(await bazaar.item('Shade'))['id']}/variants"
    sister = TestStore(client, owner, await owner.store("bazaar"))
    sisters_path = f"/menu/items/{(await sister.item('Lamp'))['id']}/variants"
    await bazaar.send("POST", path, LARGE)
    small = await bazaar.send("POST", path, {"name": "Small", "price": 7, "sku": "LAMP-S"})

    again = await bazaar.send("POST", other_path, LARGE)
    changed = await bazaar.send("PUT", f"{path}/{small['id']}", {"sku": "LAMP-L", "price": 99})

    sentence = ["Another variant of this store has the SKU LAMP-L."]
    assert again.errors == {"sku": sentence}
    assert changed.errors == {"sku": sentence}
    assert (await bazaar.get(other_path))["total"] == 0
    assert (await bazaar.get(f"{path}/{small['id']}")).document == small.document
    assert (await sister.send("POST", sisters_path, LARGE)).status == 201


async def test_variants_with_a_blank_sku_have_none(bazaar, path):
    for name in ("Red", "Blue"):
        made = await bazaar.send("POST", path, {"name": name, "price": 1, "sku": " ", "barcode": ""})
        assert (made.status, made["sku"], made["barcode"]) == (201, None, None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"price": -0.01}, "price"),
        ({"price": 0.001}, "price"),
        ({"compare_at_price": "dear"}, "compare_at_price"),
        ({"stock": -1}, "stock"),
        ({"stock": 2**31}, "stock"),
        ({"sku": "x" * 101}, "sku"),
        ({"options": {"size": 1}}, "options.size"),
        ({"options": ["L"]}, "options"),
    ],
)
async def test_invalid_variants_are_refused(bazaar, path, change, field):
    made = await bazaar.send("POST", path, LARGE)

    created = await bazaar.send("POST", path, {**LARGE, "sku": "OTHER", **change})
    changed = await bazaar.send("PUT", f"{path}/{made['id']}", change)

    assert created.errors.keys() == {field}
    assert changed.errors.keys() == {field}
    assert (await bazaar.get(path))["data"] == [made.document]


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("PUT", {"name": "Mine"}), ("DELETE", None)])
async def test_variant_of_other_item_store_or_owner_is_404(bazaar, client, owner, other_owner, path, method, body):
    made = await bazaar.send("POST", path, LARGE)
    beside = f"/menu/items/{(await bazaar.item('Shade'))['id']}/variants/{made['id']}"
    sister = TestStore(client, owner, await owner.store("bazaar"))
    intruder = TestStore(client, other_owner, bazaar.id)

    assert (await bazaar.send(method, beside, body)).status == 404
    assert (await sister.send(method, f"{path}/{made['id']}", body)).status == 404
    assert (await intruder.send(method, f"{path}/{made['id']}", body)).status == 404
    assert (await intruder.send("POST", path, LARGE)).status == 404
    assert (await intruder.send("GET", path)).status == 404
    assert (await bazaar.get(path))["data"] == [made.document]


async def test_variations_and_variants_are_the_same_rows(store):
    pizza = await store.item("Pizza", variations=[{"name": "Small", "price": 7}])
    path = f"/menu/items/{pizza['id']}/variants"

    (small,) = (await store.get(path))["data"]
    await store.send("PUT", f"{path}/{small['id']}", {"price": 7.5})

    assert (small["name"], small["stock"]) == ("Small", None)
    assert (await store.get(f"/menu/items/{pizza['id']}"))["variations"][0]["price"] == 7.5
