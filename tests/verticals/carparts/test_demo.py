"""The demo parts shop."""

import pytest
from comanda.devkit.testing import TestStore
from comanda.operations.demo_data import DemoBuilder
from comanda.platform.db import sql
from comanda_carparts import demo


@pytest.fixture
async def showcase(owner):
    # Addresses are unique in an installation, and other tests fill the demo too.
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = $1", demo.STORE.slug)
    yield DemoBuilder({"owner": owner.id})
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = $1", demo.STORE.slug)


async def test_demo_parts_are_found_by_vehicle(showcase, client, owner):
    await demo.fill(showcase)

    [opened] = showcase.stores
    store = TestStore(client, owner, opened["id"])
    items = {item["id"]: item for category in (await store.get("/menu")).document for item in category["items"]}
    assert (opened["slug"], opened["store_type"], len(items)) == ("auto-pecas-da-ponte", "carparts", 13)
    [golf] = [
        row
        for row in (await store.get("/fitments?make=volkswagen&model=golf&year=2015"))["data"]
        if row["engine"] == "1.6 TDI"
    ]
    assert sorted(items[id]["name"] for id in golf["item_ids"]) == [
        "Air filter",
        "Battery 12 V 70 Ah",
        "Timing belt kit",
    ]
    makes = (await store.get("/fitments/makes"))["data"]
    assert {row["make"] for row in makes} == {"Dacia", "Fiat", "Peugeot", "Renault", "SEAT", "Volkswagen", "Škoda"}


async def test_demo_is_only_created_once(showcase, client, owner):
    await demo.fill(showcase)
    store = TestStore(client, owner, showcase.stores[0]["id"])
    before = (await store.get("/menu")).document

    await demo.fill(showcase)

    assert showcase.stores[1:] == showcase.stores[:1]
    assert (await store.get("/menu")).document == before
