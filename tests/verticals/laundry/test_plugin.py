"""The laundry vertical."""

import pytest
from comanda.contracts import VerticalGroup
from comanda.devkit.testing import TestStore, line
from comanda_laundry import plugin


def test_vertical_is_in_the_services_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("laundry", VerticalGroup.SERVICES)
    assert vertical.fulfillment_modes == ("pickup_slot", "appointment", "in_store", "delivery")
    assert vertical.capabilities == ("brand", "variants", "stock", "appointments", "garment_care", "item_times")


@pytest.fixture
async def laundry(client, owner):
    return TestStore(client, owner, await owner.store("laundry"))


async def test_laundry_has_its_capabilities_and_modes(laundry):
    vertical = (await laundry.get())["vertical"]

    assert (vertical["label"], vertical["group"]) == ("Laundry", "services")
    assert {code for code, has in vertical["capabilities"].items() if has} == {
        "brand", "variants", "stock", "appointments", "garment_care", "item_times",
    }  # fmt: skip


async def test_items_have_a_brand(laundry):
    soap = await laundry.item("Soap", 3, brand="Espuma")

    assert soap["brand"] == "Espuma"
    assert [item["brand"] for category in await laundry.public_menu() for item in category["items"]] == ["Espuma"]
    brands = (await laundry.get("/brands")).document["data"]
    assert [(brand["name"], brand["items_count"]) for brand in brands] == [("Espuma", 1)]


@pytest.mark.parametrize(
    ("fields", "delivery_status", "has_time"),
    [
        ({"type": "pickup_slot"}, None, True),
        ({"type": "appointment"}, None, True),
        ({"type": "in_store"}, None, False),
        ({"type": "delivery", "address": "Rua 1"}, "pending", False),
    ],
)
async def test_slot_modes_schedule_orders(laundry, fields, delivery_status, has_time):
    order = await laundry.order(line(await laundry.item("Shirt", 3)), **fields)

    assert (order["type"], order["delivery_status"]) == (fields["type"], delivery_status)
    assert (order["scheduled_for"] is not None) is has_time


@pytest.mark.parametrize("mode", ["takeaway", "on-table", "room_service", "ship"])
async def test_modes_of_other_groups_are_refused(laundry, mode):
    refused = await laundry.place(line(await laundry.item("Shirt", 3)), type=mode, table_number="1")

    assert refused.errors == {"type": ["This store takes: pickup_slot, appointment, in_store, delivery."]}


async def test_tracked_stock_runs_out(laundry):
    bag = await laundry.item("Laundry bag", 9, stock=1)
    await laundry.order(line(bag), type="in_store")

    assert (await laundry.place(line(bag), type="in_store")).status == 422
    assert await laundry.public_items() == []
