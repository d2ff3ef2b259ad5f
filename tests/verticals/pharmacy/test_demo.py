"""The demo pharmacy."""

from datetime import date

import pytest
from comanda.devkit.testing import TestStore
from comanda.operations.demo_data import DemoBuilder
from comanda.platform.db import sql
from comanda_pharmacy import demo


@pytest.fixture
async def opened(client, owner):
    """Open the pharmacy for this test's owner; its address is one of a kind, so it is given up again."""
    showcase = DemoBuilder(owners={"owner": owner.id})
    await demo.fill(showcase)
    (store,) = showcase.stores
    yield TestStore(client, owner, store["id"])
    await sql.execute("UPDATE core_store SET slug = slug || id WHERE id = $1", store["id"])


async def test_demo_has_sixteen_items_one_sold_out(opened):
    menu = await opened.public_menu()

    assert [category["name"] for category in menu] == [
        "Colds and pain", "Giving up smoking", "Vitamins and minerals", "Skin and sun", "First aid",
    ]  # fmt: skip
    assert sum(len(category["items"]) for category in menu) == 15
    assert (await opened.get())["items_count"] == 16


async def test_demo_items_have_brands_ages_and_expiry_dates(opened, clock):
    items = [item for category in await opened.public_menu() for item in category["items"]]

    assert {item["brand"] for item in items} == {"Bonina", "Clarim", "Maresia", "Norte Lab", "Sereno"}
    assert sorted(item["age_min"] for item in items if item["age_min"]) == [16, 18, 18, 18]
    days = [date.fromisoformat(item["expires_on"]) for item in items if item["expires_on"]]
    assert (len(days), min(days) > clock().date()) == (13, True)


async def test_first_and_last_item_need_no_age_confirmation(opened):
    items = [item for category in await opened.public_menu() for item in category["items"] if not item["variations"]]

    reply = await opened.place({"item_id": items[0]["id"]}, {"item_id": items[-1]["id"]}, type="in_store")

    assert reply.status == 201


async def test_demo_is_only_created_once(opened, owner):
    again = DemoBuilder(owners={"owner": owner.id})

    await demo.fill(again)

    assert again.stores == [{"id": opened.id, "slug": "farmacia-da-se", "store_type": "pharmacy"}]
    assert (await opened.get())["items_count"] == 16


async def test_demo_has_batches_and_medicines(opened):
    batches = (await opened.get("/batches"))["data"]
    medicines = [item for category in await opened.public_menu() for item in category["items"] if "pack_unit" in item]

    assert sorted((batch["item"][:6], batch["quantity"]) for batch in batches) == [
        ("Amoxic", 12), ("Amoxic", 12), ("Pain r", 15), ("Pain r", 15),
    ]  # fmt: skip
    assert [item.get("max_per_order") for item in medicines] == [2, None]
    assert [bool(item.get("is_prescription_only")) for item in medicines] == [False, True]
