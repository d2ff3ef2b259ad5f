"""Menu routes of staff."""

from comanda.devkit.testing import line


async def test_manager_edits_menu(store, manager):
    category = await manager.send("POST", "/menu/categories", {"name": "Soups"})
    item = await manager.send("POST", "/menu/items", {"name": "Broth", "price": 4, "category_id": category["id"]})

    assert (category.status, item.status) == (201, 201)
    changed = await manager.send("PUT", f"/menu/items/{item['id']}", {"price": 4.5})
    assert changed["price"] == 4.5
    flipped = await manager.send("PATCH", f"/menu/items/{item['id']}/sold-out")
    assert flipped["is_sold_out"] is True
    assert await store.public_items() == []
    assert (await manager.send("DELETE", f"/menu/items/{item['id']}")).status == 204
    assert (await store.get("/menu")).document[0]["items"] == []


async def test_cook_gets_403_for_orders_and_menu(create_member, soup):
    cook = await create_member("kitchen")
    await cook.log_in()

    for method, path, body in (
        ("GET", "/orders", None),
        ("POST", "/orders", {"type": "takeaway", "items": [line(soup)]}),
        ("PUT", f"/menu/items/{soup['id']}", {"price": 1}),
        ("DELETE", f"/menu/items/{soup['id']}", None),
    ):
        assert (await cook.send(method, path, body)).status == 403
    assert (await cook.send("GET", "/integration/status")).status == 200
