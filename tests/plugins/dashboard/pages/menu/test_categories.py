"""Categories in the dashboard."""


async def test_category_is_created_renamed_hidden_and_deleted(dashboard, store):
    path = f"/stores/{store.id}/menu/categories"

    to = await dashboard.post(f"{path}/new", {"name": "Soups"})
    category_id = to.rpartition("-")[2]
    await dashboard.post(f"{path}/{category_id}", {"name": "Stews", "is_active": "false"})
    renamed = (await store.get("/menu"))[0]
    await dashboard.post(f"{path}/{category_id}/delete")

    assert (renamed["name"], renamed["is_active"]) == ("Stews", False)
    assert (await store.get("/menu")).document == []


async def test_blank_name_and_a_category_with_items_are_refused(dashboard, store):
    category = await store.category("Food")
    await store.item("Soup", category_id=category)
    path = f"/stores/{store.id}/menu/categories/{category}"

    await dashboard.post(path, {"name": ""}, status=422)
    await dashboard.post(f"{path}/delete")

    assert (await store.get("/menu"))[0]["name"] == "Food"
    assert "It still has 1 item." in await dashboard.get(path)


async def test_category_of_another_store_is_not_found(dashboard, store):
    await dashboard.get(f"/stores/{store.id}/menu/categories/999999", status=404)


async def test_station_of_the_kitchen_is_chosen(dashboard, store):
    category = await store.category("Food")
    grill = (await store.send("POST", "/stations", {"name": "Grill"})).document["id"]
    path = f"/stores/{store.id}/menu/categories/{category}"

    page = await dashboard.get(path)
    await dashboard.post(f"{path}/station", {"station_id": str(grill)})
    routed = (await store.get("/station-routes"))["data"]
    await dashboard.post(f"{path}/station", {"station_id": ""})

    assert "Grill" in page
    assert [(each["category_id"], each["station_id"]) for each in routed] == [(category, grill)]
    assert (await store.get("/station-routes"))["data"] == []
