"""Tables and the rules of reservations in the dashboard."""


async def test_a_table_is_created_changed_and_deleted(restaurant, dashboard, store):
    path = f"/stores/{store.id}/reservations/tables"
    assert "No tables yet" in await dashboard.get(path)

    await dashboard.post(f"{path}/new", {"number": "12", "seats": "4", "area": "Terrace", "is_active": "true"})
    twice = await dashboard.post(f"{path}/new", {"number": "12", "seats": "2"}, status=422)
    [table] = (await restaurant.store.get("/tables")).document["data"]
    await dashboard.post(f"{path}/{table['id']}", {"number": "12", "seats": "6", "area": "", "is_active": "false"})
    [changed] = (await restaurant.store.get("/tables")).document["data"]

    assert 'value="12"' in twice
    assert (changed["seats"], changed["area"], changed["is_active"]) == (6, None, False)
    assert "Not in use" in await dashboard.get(path)
    assert await dashboard.post(f"{path}/{table['id']}/delete") == path
    assert (await restaurant.store.get("/tables"))["total"] == 0


async def test_a_reserved_table_stays(restaurant, dashboard, store):
    table = await restaurant.create_table("1")
    await restaurant.create_reservation()
    path = f"/stores/{store.id}/reservations/tables"

    assert await dashboard.post(f"{path}/{table['id']}/delete") == path

    assert (await restaurant.store.get("/tables"))["total"] == 1


async def test_rules_are_saved_and_wrong_ones_named(restaurant, dashboard, store):
    path = f"/stores/{store.id}/reservations/tables"
    rules = {
        "is_accepting": "true", "turn_minutes": "90", "slot_minutes": "30", "min_notice_minutes": "",
        "max_party_size": "8", "capacity_seats": "40",
    }  # fmt: skip

    assert await dashboard.post(path, rules) == path
    wrong = await dashboard.post(path, {**rules, "turn_minutes": "5"}, status=422)

    settings = await restaurant.update_settings()
    assert (settings["turn_minutes"], settings["max_party_size"], settings["capacity_seats"]) == (90, 8, 40)
    assert 'aria-invalid="true"' in wrong
    await dashboard.post(path, {**rules, "capacity_seats": ""})
    assert (await restaurant.update_settings())["capacity_seats"] is None
