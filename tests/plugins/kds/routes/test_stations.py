"""Stations of other stores, over HTTP."""


async def test_station_of_another_store_looks_missing(kitchen, cook, foreign_cook):
    theirs = await foreign_cook.store.add_station("Grill")

    assert (await cook.send("GET", f"?station_id={theirs}")).status == 404
    refused = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", {"station_id": theirs})
    assert refused.errors == {"station_id": ["The store has no such station."]}
    assert (await kitchen.get("/station-routes"))["total"] == 0
