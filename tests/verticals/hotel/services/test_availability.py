"""Availability: offers, prices and reasons."""

from ..conftest import day


async def test_offer_has_each_night_and_the_total(hotel):
    double = await hotel.room_type(rooms=3, description="Quiet", min_stay=2)
    await hotel.stay(double, 1, 2)

    found = await hotel.get(f"/availability?check_in={day(0)}&check_out={day(3)}&adults=2&children=1")

    assert found.document == {
        "restaurant_id": hotel.id, "check_in": day(0), "check_out": day(3), "nights": 3, "adults": 2, "children": 1,
        "currency": "EUR",
        "room_types": [
            {
                "room_type_id": double["id"], "name": "Double", "description": "Quiet", "available": 2,
                "max_adults": 2, "max_children": 1, "min_stay": 2, "total": 240.0, "currency": "EUR", "reason": None,
                "nightly": [
                    {"date": day(0), "price": 80.0, "available": 3},
                    {"date": day(1), "price": 80.0, "available": 2},
                    {"date": day(2), "price": 80.0, "available": 2},
                ],
            }
        ],
    }  # fmt: skip


async def test_unavailable_room_type_has_a_reason(hotel):
    double = await hotel.room_type(rooms=2, min_stay=2)
    path = f"/room-types/{double['id']}"
    assert await hotel.free(double, 0, 2, adults=3) == "occupancy"
    assert await hotel.free(double, 0, 2, children=2) == "occupancy"
    assert await hotel.free(double, 0, 1) == "min_stay"
    assert await hotel.free(await hotel.room_type("Empty", overbooking_allowance=3), 0, 2) == "no_rooms"

    await hotel.stay(double, 0, 2)
    await hotel.clean(double["rooms"][1], "out_of_order")
    assert await hotel.free(double, 0, 2) == "out_of_order"
    assert await hotel.free(double, 2, 2) == 1
    await hotel.clean(double["rooms"][1], "dirty")
    await hotel.stay(double, 0, 2)
    assert await hotel.free(double, 1, 2) == "sold_out"

    await hotel.send("PUT", path, {"is_active": False})
    assert [one["name"] for one in await hotel.offers(0, 2)] == ["Empty"]


async def test_no_overbooking_without_a_room_in_order(hotel):
    double = await hotel.room_type(rooms=1, overbooking_allowance=2)
    assert await hotel.free(double) == 3

    await hotel.clean(double["rooms"][0], "out_of_order")

    assert await hotel.free(double) == "out_of_order"


async def test_inactive_room_is_not_sold(hotel):
    double = await hotel.room_type(rooms=2)

    await hotel.send("PUT", f"/rooms/{double['rooms'][0]['id']}", {"is_active": False})

    assert await hotel.free(double) == 1


async def test_availability_covers_thirty_nights(hotel):
    double = await hotel.room_type(rooms=1)

    (offer,) = await hotel.offers(0, 30)

    assert (len(offer["nightly"]), offer["total"]) == (30, 2400.0)
    assert (await hotel.stay(double, 0, 30))["nights"] == 30
