"""The laundry vertical: what it declares, what its stores take, and the laundry of the demo."""

from datetime import UTC, datetime

import pytest
from comanda.contracts.verticals import VerticalGroup
from comanda.db import sql
from comanda.demo_data.builder import DemoBuilder
from comanda.devkit.testing.stores import TestStore, line
from comanda_laundry import demo, plugin

# A Saturday, at noon in Lisbon.
SATURDAY = datetime(2030, 1, 5, 12, 0, tzinfo=UTC)


def test_it_offers_one_store_type_of_the_group_of_services():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("laundry", VerticalGroup.SERVICES)
    assert vertical.fulfillment_modes == ("pickup_slot", "appointment", "in_store", "delivery")
    assert vertical.capabilities == ("brand", "variants", "stock", "appointments")


@pytest.fixture
async def laundry(client, owner):
    return TestStore(client, owner, await owner.store("laundry"))


async def test_a_store_says_what_it_can_do(laundry):
    vertical = (await laundry.get())["vertical"]

    assert (vertical["label"], vertical["group"]) == ("Laundry", "services")
    assert {code for code, has in vertical["capabilities"].items() if has} == {
        "brand", "variants", "stock", "appointments",
    }  # fmt: skip


async def test_items_carry_a_brand(laundry):
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
async def test_each_mode_takes_orders_and_those_with_slots_give_them_a_time(laundry, fields, delivery_status, has_time):
    order = await laundry.order(line(await laundry.item("Shirt", 3)), **fields)

    assert (order["type"], order["delivery_status"]) == (fields["type"], delivery_status)
    assert (order["scheduled_for"] is not None) is has_time


@pytest.mark.parametrize("mode", ["takeaway", "on-table", "room_service", "ship"])
async def test_modes_of_other_groups_are_refused(laundry, mode):
    refused = await laundry.place(line(await laundry.item("Shirt", 3)), type=mode, table_number="1")

    assert refused.errors == {"type": ["This store takes: pickup_slot, appointment, in_store, delivery."]}


async def test_what_it_counts_runs_out(laundry):
    bag = await laundry.item("Laundry bag", 9, stock=1)
    await laundry.order(line(bag), type="in_store")

    assert (await laundry.place(line(bag), type="in_store")).status == 422
    assert await laundry.public_items() == []


@pytest.fixture
async def opened(client, owner, clock):
    """Open the demo's laundry for this test's owner; its address is one of a kind, so it is given up again."""
    clock.set(SATURDAY)
    showcase = DemoBuilder(owners={"owner": owner.id})
    await demo.fill(showcase)
    (store,) = showcase.stores
    yield TestStore(client, owner, store["id"])
    await sql.execute("UPDATE core_store SET slug = slug || id WHERE id = $1", store["id"])


async def test_the_demo_offers_twelve_things_in_four_categories(opened):
    menu = await opened.public_menu()

    assert [category["name"] for category in menu] == [
        "Washing", "Dry cleaning and pressing", "Alterations", "At the counter",
    ]  # fmt: skip
    assert sum(len(category["items"]) for category in menu) == 12


async def test_the_demo_has_hours_and_slots_so_that_saturdays_latecomers_come_on_monday(opened):
    modes = {each["mode"]: each for each in (await opened.get("/slot-settings"))["modes"]}
    shirt = next(
        item for category in await opened.public_menu() for item in category["items"] if item["name"] == "Shirt"
    )
    orders = [await opened.order({"item_id": shirt["id"]}, type=mode) for mode in ("pickup_slot", "appointment")]

    assert (modes["pickup_slot"]["capacity"], modes["appointment"]["slot_minutes"]) == (6, 45)
    assert [slot["starts_at"] for slot in (await opened.get("/slots?date=2030-01-06"))["slots"]] == []
    assert [order["scheduled_for"] for order in orders] == ["2030-01-07T08:00:00+00:00"] * 2


async def test_a_second_run_of_the_demo_finds_it_as_it_is(opened, owner):
    again = DemoBuilder(owners={"owner": owner.id})

    await demo.fill(again)

    assert again.stores == [{"id": opened.id, "slug": "lavandaria-espuma", "store_type": "laundry"}]
    assert (await opened.get())["items_count"] == 12
