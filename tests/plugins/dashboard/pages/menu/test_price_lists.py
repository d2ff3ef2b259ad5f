"""The owner's pages of price lists."""


async def test_a_list_is_created_changed_and_deleted(store, dashboard):
    soup = await store.item("Soup", 5)
    large = (await store.item("Stew", 6, variations=[{"name": "Large", "price": 9}]))["variations"][0]
    path = f"/stores/{store.id}/menu/price-lists"
    assert "No price lists yet" in await dashboard.get(path)
    window = {"valid_at.0.days": ["", "fri"], "valid_at.0.from": "16:00", "valid_at.0.until": "18:00"}
    shown = await dashboard.get(f"{path}/new")
    name = f"_price.{soup['id']}."

    await dashboard.post(f"{path}/new", {"name": "Happy hour", "percent": "-10", **window, name: "4.50"})
    (made,) = (await store.get("/menu/price-lists"))["data"]
    page = await dashboard.get(f"{path}/{made['id']}")
    of_large = next(each for each in page.split('"') if each.startswith("_price.") and each.endswith(str(large["id"])))
    change = {"name": "Late", "percent": "", "valid_at.0.from": "", "valid_at.0.until": "", name: "", of_large: "7"}
    await dashboard.post(f"{path}/{made['id']}", change)
    changed = (await store.get(f"/menu/price-lists/{made['id']}")).document

    assert f'name="{name}"' in shown
    assert (made["percent"], made["prices"]) == (-10, [{"item_id": soup["id"], "variation": None, "price": 4.5}])
    assert made["valid_at"] == [{"days": ["fri"], "from": "16:00", "until": "18:00"}]
    assert 'value="4.50"' in page
    assert (changed["name"], changed["percent"], changed["valid_at"]) == ("Late", None, [])
    assert [each["variation"] for each in changed["prices"]] == [large["id"]]
    assert "1 price of its own" in await dashboard.get(path)
    await dashboard.post(f"{path}/{made['id']}/delete", {})
    assert (await store.get("/menu/price-lists"))["data"] == []


async def test_the_form_says_what_is_wrong(store, dashboard):
    path = f"/stores/{store.id}/menu/price-lists"

    page = await dashboard.post(f"{path}/new", {"name": "Nothing"}, status=422)

    assert "Give a percentage, an amount or prices of items." in page
