"""What is sold out, as HubRise has it."""

from datetime import timedelta

import pytest


@pytest.fixture
async def shop_with_lamp(shop):
    shop.lamp = await shop.item("Lamp", 5, stock=3)
    shop.ref = f"item-{shop.lamp['id']}"
    await shop.send("PUT", "/hubrise", {"catalog_id": "cat1", "sends_menu": True, "sends_sold_out": True})
    await shop.check()
    return shop


async def change(shop, **fields):
    assert (await shop.send("PUT", f"/menu/items/{shop.lamp['id']}", fields)).status == 200
    await shop.send_menu()
    return shop.location.inventories[-1]


async def test_counted_stock_has_its_quantity(shop_with_lamp):
    assert shop_with_lamp.location.inventories == [[{"sku_ref": shop_with_lamp.ref, "stock": "3"}]]


async def test_what_may_be_ordered_ahead_of_its_stock_has_no_limit(shop_with_lamp):
    assert await change(shop_with_lamp, stock=0, allow_backorder=True) == []


async def test_end_of_sold_out_is_told(shop_with_lamp, clock):
    until = (clock() + timedelta(hours=3)).replace(microsecond=0)

    body = {"is_sold_out": True, "until": until.isoformat()}
    await shop_with_lamp.send("PATCH", f"/menu/items/{shop_with_lamp.lamp['id']}/sold-out", body)
    await shop_with_lamp.send_menu()

    [entry] = shop_with_lamp.location.inventories[-1]
    assert entry == {"sku_ref": shop_with_lamp.ref, "stock": "0", "expires_at": until.isoformat()}


async def test_item_that_leaves_the_menu_leaves_the_catalog(shop_with_lamp):
    assert await change(shop_with_lamp, is_active=False) == []
    assert shop_with_lamp.location.catalogs[-1]["products"] == []
