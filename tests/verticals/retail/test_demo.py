"""The demo bookshop."""

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.operations.demo_data import DemoBuilder
from comanda.platform.db import sql
from comanda_retail import demo


@pytest.fixture
async def showcase(owner):
    # Addresses are unique in an installation, and other tests fill the demo too.
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = $1", demo.STORE.slug)
    yield DemoBuilder({"owner": owner.id})
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = $1", demo.STORE.slug)


async def test_demo_has_brands_variants_stock_and_takes_orders(showcase, client, owner):
    await demo.fill(showcase)

    [opened] = showcase.stores
    store = TestStore(client, owner, opened["id"])
    items = [item for category in (await store.get("/menu")).document for item in category["items"]]
    brands = (await store.get("/brands"))["data"]
    assert (opened["slug"], opened["store_type"], len(items)) == ("cais-das-letras", "retail", 26)
    assert all(item["brand"] for item in items)
    assert (len(brands), sum(brand["items_count"] for brand in brands)) == (10, 26)
    assert sum(item["variants_count"] > 0 for item in items) == 8
    assert {"Wall shelf"} <= set(await store.public_items())
    assert "The Small Atlas of Winds" not in await store.public_items()
    candle = next(item for item in items if item["name"] == "Scented candle")
    assert (candle["price"], candle["prior_price"]) == (14.9, 18.5)
    mug = next(item for item in items if item["name"] == "Stoneware mug")
    assert (await store.order(line(mug, 2), type="in_store"))["total"] == 29


async def test_demo_is_only_created_once(showcase, client, owner):
    await demo.fill(showcase)
    store = TestStore(client, owner, showcase.stores[0]["id"])
    before = (await store.get("/menu")).document

    await demo.fill(showcase)

    assert showcase.stores[1:] == showcase.stores[:1]
    assert (await store.get("/menu")).document == before
