"""The plan of the rooms in the dashboard."""


async def test_tables_are_placed_moved_and_taken_off(restaurant, dashboard, store):
    table = await restaurant.create_table("12", area="Terrace")
    path = f"/stores/{store.id}/reservations/tables/plan"

    async def get_place():
        [found] = (await restaurant.store.get("/tables")).document["data"]
        return found["plan_column"], found["plan_row"]

    assert "Terrace" in await dashboard.get(path)
    assert await dashboard.post(path, {"table": str(table["id"]), "cell": "3-2"}) == path
    assert await get_place() == (3, 2)
    await dashboard.post(path, {"table": str(table["id"]), "cell": ""})
    assert await get_place() == (None, None)


async def test_place_outside_the_plan_changes_nothing(restaurant, dashboard, store):
    table = await restaurant.create_table("12", plan_column=1, plan_row=1)
    path = f"/stores/{store.id}/reservations/tables/plan"

    for sent in ({"table": str(table["id"]), "cell": "99-1"}, {"cell": "2-2"}, {"table": "x", "cell": "2-2"}):
        await dashboard.post(path, sent)

    [found] = (await restaurant.store.get("/tables")).document["data"]
    assert (found["plan_column"], found["plan_row"]) == (1, 1)


async def test_a_store_without_tables_is_told_so(restaurant, dashboard, store):
    assert "No tables yet" in await dashboard.get(f"/stores/{store.id}/reservations/tables/plan")
