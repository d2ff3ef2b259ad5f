"""Variants in the dashboard."""

import pytest
from comanda_dashboard.pages.menu.variants import parse_options


@pytest.fixture
async def shirt(store, owner, client):
    shop = type(store)(client, owner, await owner.store("clothing"))
    return shop, (await shop.item("Shirt", 20))["id"]


async def test_variant_is_created_changed_and_deleted(dashboard, shirt):
    shop, item_id = shirt
    path = f"/stores/{shop.id}/menu/items/{item_id}/variants"
    fields = {"name": "Large", "price": "22", "sku": "S-L", "stock": "3", "_options": "size: L\ncolour: red"}

    await dashboard.post(path, fields)
    (variant,) = (await shop.get(f"/menu/items/{item_id}/variants"))["data"]
    page = await dashboard.get(path)
    form = await dashboard.get(f"{path}/{variant['id']}")
    await dashboard.post(f"{path}/{variant['id']}", {**fields, "stock": "", "price": "21,5", "is_active": "false"})
    changed = (await shop.get(f"/menu/items/{item_id}/variants/{variant['id']}")).document
    await dashboard.post(f"{path}/{variant['id']}/delete")

    assert (variant["sku"], variant["stock"], variant["options"]) == ("S-L", 3, {"size": "L", "colour": "red"})
    assert "S-L" in page
    assert "size: L\ncolour: red" in form
    assert (changed["price"], changed["stock"], changed["is_active"]) == (21.5, None, False)
    assert (await shop.get(f"/menu/items/{item_id}/variants"))["data"] == []


async def test_sku_in_use_is_refused_beside_the_field(dashboard, shirt):
    shop, item_id = shirt
    path = f"/stores/{shop.id}/menu/items/{item_id}/variants"
    await dashboard.post(path, {"name": "Large", "price": "22", "sku": "S-L"})

    page = await dashboard.post(path, {"name": "Small", "price": "22", "sku": "S-L"}, status=422)
    blank = await dashboard.post(path, {"name": "", "price": ""}, status=422)

    assert "Another variant of this store has the SKU S-L." in page
    assert 'value="Small"' in page
    assert blank.count('aria-invalid="true"') == 2
    assert len((await shop.get(f"/menu/items/{item_id}/variants"))["data"]) == 1


def test_options_are_lines_with_a_colon():
    assert parse_options("size: XL\n\nnote") == {"size": "XL", "note": ""}
