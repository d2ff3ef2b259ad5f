"""Room types."""


async def test_room_type_has_defaults(hotel):
    made = await hotel.made("/room-types", {"name": "Double", "base_price": 80.5, "max_adults": 2})

    assert made == {
        "id": made["id"], "name": "Double", "description": None, "max_adults": 2, "max_children": 0, "base_adults": 2,
        "base_price": 80.5, "extra_adult_price": 0.0, "currency": "EUR", "min_stay": 1, "overbooking_allowance": 0,
        "position": 0, "is_active": True, "rooms_count": 0,
    }  # fmt: skip
    assert (await hotel.get(f"/room-types/{made['id']}")).document == made


async def test_room_types_are_listed_with_active_rooms(hotel):
    late = await hotel.room_type("Suite", 2, position=2)
    early = await hotel.room_type("Single", 1, first=201, position=1)
    await hotel.send("PUT", f"/rooms/{late['rooms'][0]['id']}", {"is_active": False})

    listed = await hotel.get("/room-types")

    assert [(one["id"], one["rooms_count"]) for one in listed["data"]] == [(early["id"], 1), (late["id"], 1)]
    assert (listed["total"], listed["per_page"]) == (2, 20)


async def test_update_keeps_omitted_fields(hotel):
    made = await hotel.room_type(description="Quiet")

    changed = await hotel.send("PUT", f"/room-types/{made['id']}", {"max_adults": 4, "description": None})
    refused = await hotel.send("PUT", f"/room-types/{made['id']}", {"max_adults": 1})

    made.pop("rooms")
    assert changed.document == {**made, "max_adults": 4, "description": None}
    assert refused.errors == {"base_adults": ["The price cannot include 2 adults where 1 may stay."]}
    assert (await hotel.get(f"/room-types/{made['id']}")).document == changed.document


async def test_room_type_in_use_cannot_be_deleted(hotel):
    double = await hotel.room_type(rooms=1)
    path, room = f"/room-types/{double['id']}", double["rooms"][0]["id"]
    await hotel.send("PUT", f"{path}/rates", {"weekdays": {"friday": 99}})

    refused = await hotel.send("DELETE", path)
    assert (refused.status, refused["reason"], refused["rooms_count"]) == (409, "has_rooms", 1)

    stay = await hotel.stay(double)
    await hotel.must_set(stay, "cancelled")
    assert (await hotel.send("DELETE", f"/rooms/{room}")).status == 204
    assert (await hotel.send("DELETE", path))["reason"] == "has_stays"

    other = await hotel.room_type("Other")
    assert (await hotel.send("DELETE", f"/room-types/{other['id']}")).status == 204
    assert (await hotel.send("GET", f"/room-types/{other['id']}")).status == 404
