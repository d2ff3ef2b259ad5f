"""The demo laundry."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import TestStore
from comanda.operations.demo_data import DemoBuilder
from comanda.platform.db import sql
from comanda_laundry import demo

# A Saturday, at noon in Lisbon.
SATURDAY = datetime(2030, 1, 5, 12, 0, tzinfo=UTC)


@pytest.fixture
async def opened(client, owner, clock):
    """Open the demo's laundry for this test's owner; its address is one of a kind, so it is given up again."""
    clock.set(SATURDAY)
    showcase = DemoBuilder(owners={"owner": owner.id})
    await demo.fill(showcase)
    (store,) = showcase.stores
    yield TestStore(client, owner, store["id"])
    await sql.execute("UPDATE core_store SET slug = slug || id WHERE id = $1", store["id"])


async def test_demo_has_twelve_items_in_four_categories(opened):
    menu = await opened.public_menu()

    assert [category["name"] for category in menu] == [
        "Washing", "Dry cleaning and pressing", "Alterations", "At the counter",
    ]  # fmt: skip
    assert sum(len(category["items"]) for category in menu) == 12


async def test_demo_slots_follow_opening_hours(opened):
    modes = {each["mode"]: each for each in (await opened.get("/slot-settings"))["modes"]}
    shirt = next(
        item for category in await opened.public_menu() for item in category["items"] if item["name"] == "Shirt"
    )
    orders = [await opened.order({"item_id": shirt["id"]}, type=mode) for mode in ("pickup_slot", "appointment")]

    assert (modes["pickup_slot"]["capacity"], modes["appointment"]["slot_minutes"]) == (6, 45)
    assert [slot["starts_at"] for slot in (await opened.get("/slots?date=2030-01-06"))["slots"]] == []
    assert [order["scheduled_for"] for order in orders] == ["2030-01-07T08:00:00+00:00"] * 2


async def test_demo_is_only_created_once(opened, owner):
    again = DemoBuilder(owners={"owner": owner.id})

    await demo.fill(again)

    assert again.stores == [{"id": opened.id, "slug": "lavandaria-espuma", "store_type": "laundry"}]
    assert (await opened.get())["items_count"] == 12


async def test_demo_sells_by_the_kilogram_and_by_the_piece(opened):
    items = {item["name"]: item for category in await opened.public_menu() for item in category["items"]}

    assert [name for name, item in items.items() if item.get("is_by_weight")] == ["Wash and fold"]
    assert {name for name, item in items.items() if item.get("ready_days") == 0} == {
        "Fitting of a wedding dress", "Linen laundry bag", "Cedar moth rings, twelve",
    }  # fmt: skip
