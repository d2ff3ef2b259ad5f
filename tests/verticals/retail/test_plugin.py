"""The retail verticals."""

import pytest
from comanda.contracts import VerticalGroup
from comanda.devkit.testing import TestStore, line
from comanda_retail import plugin

STORE_TYPES = ["retail", "cosmetic", "clothing"]


@pytest.fixture
def shop(client, owner):
    """Return a function that opens a shop of a type."""

    async def open_shop(store_type):
        return TestStore(client, owner, await owner.store(store_type))

    return open_shop


def test_verticals_are_in_the_goods_group():
    verticals = {vertical.store_type: vertical for vertical in plugin.register_verticals()}

    assert list(verticals) == STORE_TYPES
    assert {vertical.group for vertical in verticals.values()} == {VerticalGroup.GOODS}
    assert {vertical.fulfillment_modes for vertical in verticals.values()} == {
        ("in_store", "pickup_slot", "ship", "delivery")
    }
    assert all({"brand", "stock", "variants", "shipping"} <= set(each.capabilities) for each in verticals.values())
    assert [code for code, vertical in verticals.items() if "expiry" in vertical.capabilities] == ["cosmetic"]
    assert [code for code, vertical in verticals.items() if "by_weight" in vertical.capabilities] == ["retail"]


@pytest.mark.parametrize("store_type", STORE_TYPES)
async def test_stores_have_their_capabilities_and_modes(shop, store_type):
    vertical = (await (await shop(store_type)).get())["vertical"]

    assert vertical["group"] == "goods"
    assert vertical["fulfillment_modes"] == ["in_store", "pickup_slot", "ship", "delivery"]
    switched_on = {code for code, is_on in vertical["capabilities"].items() if is_on}
    assert switched_on - {"expiry", "by_weight"} == {
        "brand",
        "stock",
        "variants",
        "shipping",
        "item_times",
        "packaging",
        "product_safety",
    }


@pytest.mark.parametrize("store_type", STORE_TYPES)
async def test_items_have_goods_fields_and_variants(shop, store_type):
    store = await shop(store_type)
    made = await store.item("Thing", brand="Amber", stock=3, is_vegan=True, calories=9)
    variant = await store.send(
        "POST", f"/menu/items/{made['id']}/variants", {"name": "Large", "price": 6, "sku": "T-L", "stock": 2}
    )

    shown = await store.get(f"/menu/items/{made['id']}")
    guests = (await store.public_menu())[0]["items"][0]

    assert variant.status == 201
    for item in (shown, guests):
        assert (item["brand"], item["stock"], item["variants_count"]) == ("Amber", 3, 1)
    assert not {"is_vegan", "is_halal", "calories"} & (shown.document.keys() | guests.keys())


async def test_order_takes_stock_of_item_and_variant(shop):
    store = await shop("clothing")
    scarf, shirt = await store.item("Scarf", stock=2), await store.item("Shirt")
    path = f"/menu/items/{shirt['id']}/variants"
    large = await store.send("POST", path, {"name": "L", "price": 6, "sku": "S-L", "stock": 1})

    await store.order(line(scarf, 2), line(shirt, variation=large["id"]), type="in_store")
    refused = await store.place(line(shirt, variation=large["id"]), type="in_store")

    assert refused.status == 422
    assert (await store.get(f"/menu/items/{scarf['id']}"))["stock"] == 0
    assert (await store.get(f"{path}/{large['id']}"))["stock"] == 0
    assert await store.public_items() == ["Shirt"]


@pytest.mark.parametrize("mode", ["on-table", "takeaway", "room_service", "appointment"])
async def test_modes_of_other_groups_are_refused(shop, mode):
    store = await shop("retail")

    refused = await store.place(line(await store.item()), type=mode)

    assert refused.errors == {"type": ["This store takes: in_store, pickup_slot, ship, delivery."]}


async def test_delivery_requires_an_address(shop):
    store = await shop("retail")
    lamp = await store.item("Lamp")

    refused = await store.place(line(lamp), type="delivery")
    order = await store.order(line(lamp), type="delivery", address="Rua 1")

    assert refused.errors.keys() == {"address"}
    assert (order["type"], order["delivery_status"]) == ("delivery", "pending")
