"""Routes of items and categories."""


async def test_item_route_precedes_category_and_default(kitchen, cook):
    grill, cold = await kitchen.add_station("Grill"), await kitchen.add_station("Cold")
    await kitchen.set_route(kitchen.soup, cold)
    path = f"/station-routes/categories/{kitchen.bread['category_id']}"
    await kitchen.send("PUT", path, {"station_id": cold})
    order = await kitchen.place_order(kitchen.soup, kitchen.bread, kitchen.wine)

    assert [item["station_id"] for item in (await cook.get_board())[0]["items"]] == [cold, cold, grill]
    record = (await kitchen.get(f"/orders/{order.id}")).document
    assert [each["station_id"] for each in record["items"]] == [cold, cold, grill]
    await kitchen.set_route(kitchen.bread, grill)
    assert [item["station_id"] for item in (await cook.get_board())[0]["items"]] == [cold, grill, grill]
    assert (await kitchen.send("DELETE", f"/station-routes/items/{kitchen.bread['id']}")).status == 204
    assert (await kitchen.send("DELETE", path)).status == 204
    assert [item["station_id"] for item in (await cook.get_board())[0]["items"]] == [cold, grill, grill]
    assert (await kitchen.get("/station-routes"))["data"] == [
        {"item_id": kitchen.soup["id"], "category_id": None, "station_id": cold}
    ]


async def test_deleting_an_item_deletes_its_route(kitchen):
    grill = await kitchen.add_station("Grill")
    await kitchen.set_route(kitchen.soup, grill)

    assert (await kitchen.send("DELETE", f"/menu/items/{kitchen.soup['id']}")).status == 204

    assert (await kitchen.get("/station-routes"))["total"] == 0
