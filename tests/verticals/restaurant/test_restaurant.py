"""The restaurant vertical: what it declares, and what its stores, items and orders make of it."""

import pytest
from comanda.contracts.verticals import VerticalGroup
from comanda.devkit.testing.stores import line
from comanda_restaurant import plugin


def test_it_offers_one_store_type_of_the_food_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("restaurant", VerticalGroup.FOOD)
    assert vertical.fulfillment_modes == ("on-table", "takeaway", "delivery", "room_service")
    assert {"modifiers", "dietary", "kds"} <= set(vertical.capabilities)


def test_what_a_storefront_may_offer_is_what_guests_collect():
    modes = {mode.code: mode for mode in plugin.register_fulfillment_modes()}

    assert {code for code, mode in modes.items() if mode.is_collection} == {"on-table", "takeaway"}


@pytest.mark.parametrize(
    ("fields", "delivery_status"),
    [
        ({"type": "on-table", "table_number": "7"}, None),
        ({"type": "takeaway"}, None),
        ({"type": "delivery", "address": "Rua 1"}, "pending"),
        ({"type": "room_service"}, None),
    ],
)
async def test_each_mode_takes_orders_and_only_deliveries_have_a_delivery_status(store, fields, delivery_status):
    order = await store.order(line(await store.item()), **fields)

    assert (order["type"], order["delivery_status"]) == (fields["type"], delivery_status)


@pytest.mark.parametrize("mode", ["ship", "pickup_slot", "appointment", "in_store"])
async def test_modes_of_other_groups_are_refused(store, mode):
    refused = await store.place(line(await store.item()), type=mode)

    assert refused.errors == {"type": ["This store takes: on-table, takeaway, delivery, room_service."]}


async def test_items_say_whether_they_are_vegan_and_halal_and_how_many_calories_they_have(store):
    plain = await store.item("Bread")
    salad = await store.item("Salad", is_vegan=True, is_halal=True, calories="180")

    dietary = ("is_vegan", "is_halal", "calories")
    assert [plain[name] for name in dietary] == [False, False, None]
    assert [salad[name] for name in dietary] == [True, True, 180]
    changed = await store.send("PUT", f"/menu/items/{salad['id']}", {"is_vegan": False, "calories": None})
    assert [changed[name] for name in dietary] == [False, True, None]
    guests = {item["name"]: item for category in await store.public_menu() for item in category["items"]}
    assert [guests["Salad"][name] for name in dietary] == [False, True, None]


@pytest.mark.parametrize("field", ["brand", "stock", "variants_count"])
async def test_items_have_no_fields_of_goods(store, field):
    assert field not in await store.item("Bread", brand="Acme", stock=3)
