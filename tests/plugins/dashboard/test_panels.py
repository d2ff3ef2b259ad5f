"""Sold-out items on the first page of the dashboard."""


async def test_sold_out_item_is_pointed_out(dashboard, store):
    soup = await store.item("Soup", 5)
    assert "Sold out" not in await dashboard.get(f"/stores/{store.id}")

    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True})

    page = await dashboard.get(f"/stores/{store.id}")
    assert "Sold out" in page
    assert f"/dashboard/stores/{store.id}/menu/items/{soup['id']}" in page
