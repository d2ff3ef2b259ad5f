"""Input validation and scopes of the management of drivers."""

DRIVERS = "/api/v1/drivers"


INVALID_DRIVERS = [
    ({"phone": "+351961234567"}, "name"),
    ({"name": " ", "phone": "+351961234567"}, "name"),
    ({"name": "Rui"}, "phone"),
    ({"name": "Rui", "phone": "call me"}, "phone"),
    ({"name": "Rui", "phone": "1"}, "phone"),
    ({"name": "Rui", "phone": "+351961234567", "restaurant_id": 987_654_321}, "restaurant_id"),
    ({"name": "Rui", "phone": "+351961234567", "restaurant_id": True}, "restaurant_id"),
]


async def test_invalid_driver_is_refused(kitchen, subtests):
    for body, field in INVALID_DRIVERS:
        with subtests.test(body=body, field=field):
            assert list((await kitchen.send_to(DRIVERS, "POST", body)).errors) == [field]
            assert (await kitchen.send_to(DRIVERS))["total"] == 0


async def test_routes_require_the_scopes_of_drivers(client, kitchen, driver):
    read, other = await kitchen.owner.token_with("drivers:read"), await kitchen.owner.token_with("orders:write")
    path = f"{DRIVERS}/{driver.id}"

    assert (await client.get(DRIVERS, headers=read)).status_code == 200
    for response in (
        await client.get(DRIVERS, headers=other),
        await client.put(path, headers=read, json={"name": "x"}),
        await client.delete(path, headers=read),
        await client.post(f"{path}/rotate-token", headers=read),
        await client.post(DRIVERS, headers=read, json={"name": "x", "phone": "+351961234567"}),
    ):
        assert response.status_code == 403
    assert (await driver.get("/me"))["name"] == "Rui Costa"
