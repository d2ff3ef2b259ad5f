"""Changes of many prices in the dashboard."""

import re


async def test_prices_are_shown_before_they_are_applied(dashboard, store):
    item = await store.item("Soup", 9.5, variations=[{"name": "Large", "price": 12}])
    await store.item("Salad", 5)
    path = f"/stores/{store.id}/menu/prices"
    fields = {
        "_scope": "items", "item": [str(item["id"])], "_value": "10", "_kind": "percent", "_rounding": "0.99",
        "_variations": "1",
    }  # fmt: skip

    form = await dashboard.get(f"{path}?item={item['id']}")
    preview = await dashboard.post(path, fields, status=200)
    before = (await store.get(f"/menu/items/{item['id']}"))["price"]
    checksum = re.search(r'name="checksum" value="(\w+)"', preview)[1]
    await dashboard.post(path, {**fields, "checksum": checksum})

    assert "1 selected items" in form
    assert "9.99" in preview
    assert '<th scope="row">Salad' not in preview
    assert before == 9.5
    changed = (await store.get(f"/menu/items/{item['id']}")).document
    assert (changed["price"], changed["variations"][0]["price"]) == (9.99, 12.99)


async def test_refusals_are_shown_beside_the_form(dashboard, store):
    await store.item("Soup", 5)
    path = f"/stores/{store.id}/menu/prices"

    nothing = await dashboard.post(path, {"_scope": "all", "_value": ""}, status=422)
    below = await dashboard.post(path, {"_scope": "all", "_value": "-6", "_kind": "amount"}, status=422)
    outdated = await dashboard.post(path, {"_scope": "all", "_value": "5", "checksum": "x"}, status=422)

    assert "Give a percentage" in nothing
    assert "Soup would cost -1.00" in below
    assert "since the preview" in outdated
    assert (await store.public_menu())[0]["items"][0]["price"] == 5
