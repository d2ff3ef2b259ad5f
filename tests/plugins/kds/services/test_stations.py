"""Stations of a kitchen."""


async def test_there_is_always_one_default_station(kitchen):
    grill = await kitchen.add_station("Grill")
    cold = await kitchen.add_station("Cold", position=1)
    assert await list_defaults(kitchen) == ["Grill"]
    refused = await kitchen.send("PATCH", f"/stations/{grill}", {"is_default": False})
    assert list(refused.errors) == ["is_default"]

    assert (await kitchen.send("PATCH", f"/stations/{cold}", {"is_default": True})).status == 200
    assert await list_defaults(kitchen) == ["Cold"]
    assert (await kitchen.send("DELETE", f"/stations/{cold}")).status == 204

    assert await list_defaults(kitchen) == ["Grill"]


async def list_defaults(kitchen):
    return [each["name"] for each in (await kitchen.get("/stations"))["data"] if each["is_default"]]


async def test_names_are_unique_ignoring_case(kitchen):
    await kitchen.add_station("Grill")

    assert (await kitchen.send("POST", "/stations", {"name": "GRILL"})).errors == {
        "name": ["There is a station GRILL already."]
    }
    assert (await kitchen.get("/stations"))["total"] == 1
