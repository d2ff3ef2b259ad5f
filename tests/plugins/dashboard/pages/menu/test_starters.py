"""Starter menus in the dashboard."""


async def test_empty_menu_leads_to_a_starter_menu_that_is_installed(dashboard, store):
    path = f"/stores/{store.id}/menu"

    empty = await dashboard.get(path)
    shown = await dashboard.get(f"{path}/starters?preset=pizzeria")
    to = await dashboard.post(f"{path}/starters", {"preset": "pizzeria", "price_factor": "2"})
    again = await dashboard.post(f"{path}/starters", {"preset": "pizzeria", "price_factor": "2"}, status=422)

    assert "starters?preset=pizzeria" in empty
    assert "Import a file" in empty
    assert "Margherita" in shown
    assert to == path
    assert "Margherita" in await store.public_items()
    assert "This store has a menu already." in again


async def test_shop_has_no_starter_menus(dashboard, store, owner):
    shop = await owner.store("retail")

    assert "starters?preset" not in await dashboard.get(f"/stores/{shop}/menu")
    assert await dashboard.post(f"/stores/{shop}/menu/starters", {"preset": "cafe"}, status=422)
