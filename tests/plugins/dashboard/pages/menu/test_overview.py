"""The menu of a store in the dashboard."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from comanda_dashboard.pages.menu.overview import get_return_time, move


async def test_items_stand_below_their_categories_and_are_found(dashboard, store):
    drinks = await store.category("Drinks")
    await store.item("Lemonade", 3.5, category_id=drinks)
    await store.item("<b>Soup</b>", 5, category_id=drinks, is_sold_out=True)
    path = f"/stores/{store.id}/menu"

    page = await dashboard.get(path)
    found = await dashboard.get(f"{path}?search=lemon")
    nothing = await dashboard.get(f"{path}?search=unicorn")
    sold_out = await dashboard.get(f"{path}?availability=sold_out")

    assert "Drinks" in page
    assert "Lemonade" in page
    assert "&lt;b&gt;Soup" in page
    assert "Lemonade" in found
    assert "Soup" not in found
    assert "No items found" in nothing
    assert "Lemonade" not in sold_out
    assert "Soup" in sold_out


async def test_item_is_sold_out_in_one_tap_and_comes_back(dashboard, store):
    item = await store.item("Soup")
    path = f"/stores/{store.id}/menu/items/{item['id']}/sold-out"

    to = await dashboard.post(path, {"sold_out": "today", "_category": "7"})
    today = (await store.get(f"/menu/items/{item['id']}")).document
    await dashboard.post(path, {"sold_out": "on"})
    always = (await store.get(f"/menu/items/{item['id']}")).document
    await dashboard.post(path, {"sold_out": "off"})

    assert to == f"/stores/{store.id}/menu?category=7"
    assert (today["is_sold_out"], today["sold_out_until"] is None) == (True, False)
    assert (always["is_sold_out"], always["sold_out_until"]) == (True, None)
    assert await store.public_items() == ["Soup"]


def test_what_is_sold_out_today_returns_the_next_morning_of_the_store():
    zone = ZoneInfo("Europe/Vienna")

    assert get_return_time(datetime(2026, 6, 1, 20, tzinfo=UTC), zone).isoformat() == "2026-06-02T05:00:00+02:00"
    assert get_return_time(datetime(2026, 6, 1, 23, tzinfo=UTC), zone).isoformat() == "2026-06-02T05:00:00+02:00"


async def test_order_changes_by_dragging_and_by_buttons(dashboard, store):
    category = await store.category("Food")
    ids = [(await store.item(name, category_id=category))["id"] for name in ("A", "B", "C")]
    path = f"/stores/{store.id}/menu/positions"

    await dashboard.post(path, {"item_ids": [str(ids[2]), str(ids[0]), str(ids[1])]})
    dragged = await store.public_items()
    await dashboard.post(path, {"item_ids": [str(ids[2]), str(ids[0]), str(ids[1])], "move": f"down:{ids[2]}"})

    assert dragged == ["C", "A", "B"]
    assert await store.public_items() == ["A", "C", "B"]
    assert move([1, 2], "up:1") == [1, 2]
    assert move([1, 2], "up:9") == [1, 2]


@pytest.mark.parametrize("text", ["²", "9" * 40, "9" * 5000, str(2**63)])
async def test_what_is_no_id_moves_nothing(dashboard, store, text):
    items = [await store.item(name) for name in ("A", "B")]
    path = f"/stores/{store.id}/menu/positions"

    await dashboard.post(path, {"item_ids": [text, str(items[1]["id"])], "move": f"down:{text}"})

    assert sorted(await store.public_items()) == ["A", "B"]


async def test_selected_items_change_together(dashboard, store):
    ids = [str((await store.item(name))["id"]) for name in ("A", "B", "C")]
    other = await store.category("Other")
    path = f"/stores/{store.id}/menu/bulk"

    await dashboard.post(path, {"selected": ids[:2], "action": "hide"})
    hidden = await store.public_items()
    await dashboard.post(path, {"selected": ids[:2], "action": "show"})
    await dashboard.post(path, {"selected": ids, "action": "move", "category_id": str(other)})
    moved = {(await store.get(f"/menu/items/{id}"))["category_id"] for id in ids}
    to = await dashboard.post(path, {"selected": ids, "action": "prices"})
    await dashboard.post(path, {"selected": ids[1:], "action": "delete"})
    nothing = await dashboard.post(path, {"action": "delete"})

    assert hidden == ["C"]
    assert moved == {other}
    assert to == f"/stores/{store.id}/menu/prices?item={ids[0]}&item={ids[1]}&item={ids[2]}"
    assert nothing == f"/stores/{store.id}/menu"
    assert await store.public_items() == ["A"]


async def test_large_menu_is_shown_by_category(dashboard, store):
    many, few = await store.category("Many"), await store.category("Few")
    menu = [{"name": "Many", "items": [{"name": f"Item {number:03}", "price": 1} for number in range(120)]}]
    await store.send("POST", "/menu/import", {"menu": menu})
    await store.item("Lonely", category_id=few)
    path = f"/stores/{store.id}/menu"

    first, second = (
        await dashboard.get(f"{path}?category={many}"),
        await dashboard.get(f"{path}?category={many}&page=2"),
    )

    assert "Item 000" in first
    assert "Item 050" not in first
    assert "Item 050" in second
    assert "Lonely" in await dashboard.get(f"{path}?category={few}")


async def test_menu_is_exported_as_a_file(dashboard, store):
    await store.item("Soup", 5)

    exported = await dashboard.get(f"/stores/{store.id}/menu/export.csv")

    assert exported.startswith("\ufeffcategory,name,variant,price")
    assert "Soup" in exported
