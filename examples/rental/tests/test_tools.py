"""Free tools: for agents and for the public."""


async def test_free_pieces_and_prices_are_listed(shop, admin, client):
    await shop.hire()
    await shop.send("PUT", "/settings", {"is_published": True, "is_listed": True})
    days = {"first_day": "2030-01-12", "last_day": "2030-01-15"}

    found = await admin.call("list_free_hire_tools", {"restaurant_id": shop.id, **days})
    response = await client.get(f"/api/v1/menu/{shop.id}/rental/tools", query_string=days)

    listed = [(each["name"], each["pieces"], each["free"], each["price"]) for each in found["tools"]]
    assert listed == [("Drill", 2, 1, 80), ("Mixer", 1, 1, 142)]
    assert await response.get_json() == found


async def test_impossible_days_are_refused(shop, client):
    await shop.send("PUT", "/settings", {"is_published": True})
    for days in (("2030-01-12", "2030-01-11"), ("2030-01-12", "9999-12-31")):
        query = {"first_day": days[0], "last_day": days[1]}
        response = await client.get(f"/api/v1/menu/{shop.id}/rental/tools", query_string=query)
        assert (response.status_code, list((await response.get_json())["errors"])) == (422, ["last_day"])


async def test_shop_of_another_owner_is_not_found(foreign_shop, admin):
    days = {"first_day": "2030-01-12", "last_day": "2030-01-15"}

    refused = await admin.refused("list_free_hire_tools", {"restaurant_id": foreign_shop.id, **days})

    assert refused["code"] == "not_found"
