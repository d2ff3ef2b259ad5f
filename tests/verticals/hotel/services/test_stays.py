"""Lists of stays."""

from ..conftest import day


async def test_arrivals_departures_and_in_house_lists(hotel, next_day):
    double = await hotel.room_type(rooms=9)
    ada = await hotel.must_set(await hotel.stay(double, 0, 1, guest_name="Ada Costa"), "checked_in")
    bo = await hotel.must_set(await hotel.stay(double, 0, 4, guest_name="Bo Lind", phone="0700 55%"), "checked_in")
    cy = await hotel.stay(double, 1, 2, guest_name="Cy Ott", email="cy@example.com")
    di = await hotel.must_set(await hotel.stay(double, 1, 2, guest_name="Di Wu"), "cancelled")
    next_day()
    await hotel.must_set(bo, "checked_out")

    async def listed(query):
        return [stay["guest_name"] for stay in (await hotel.get(f"/stays?{query}"))["data"]]

    assert await listed(f"arrivals_on={day(1)}") == ["Cy Ott"]
    assert await listed(f"arrivals_on={day(1)}&status=cancelled") == ["Di Wu"]
    assert await listed(f"departures_on={day(1)}") == ["Bo Lind", "Ada Costa"]
    assert await listed(f"departures_on={day(4)}") == []
    assert await listed("in_house=true") == ["Ada Costa"]
    assert await listed("in_house=false") == ["Di Wu", "Cy Ott", "Bo Lind"]
    assert await listed("status=confirmed") == ["Cy Ott"]
    assert await listed("search=cost") == ["Ada Costa"]
    assert await listed("search=55%25") == ["Bo Lind"]
    assert await listed("search=%25") == ["Bo Lind"]
    assert await listed("search=_") == []
    assert await listed("search=CY@") == ["Cy Ott"]
    assert await listed("search=101") == ["Ada Costa"]
    whole = await hotel.get("/stays?per_page=2")
    assert ([stay["id"] for stay in whole["data"]], whole["total"]) == ([di["id"], cy["id"]], 4)
    assert ada["room_number"] == "101"
    for query in ("status=x", "arrivals_on=x", "in_house=x"):
        assert (await hotel.send("GET", f"/stays?{query}")).status == 422


async def test_stays_are_found_by_their_nights_and_without_a_room(hotel, next_day):
    double = await hotel.room_type(rooms=9)
    room = double["rooms"][0]["id"]
    await hotel.stay(double, 0, 2, guest_name="Ada Costa", room_id=room)
    await hotel.stay(double, 2, 3, guest_name="Bo Lind")
    await hotel.must_set(await hotel.stay(double, 2, 3, guest_name="Cy Ott"), "cancelled")
    left = await hotel.must_set(await hotel.stay(double, 0, 5, guest_name="Di Wu"), "checked_in")
    next_day()
    await hotel.must_set(left, "checked_out")

    async def listed(query):
        return [stay["guest_name"] for stay in (await hotel.get(f"/stays?{query}"))["data"]]

    assert await listed(f"from={day(1)}&to={day(2)}") == ["Ada Costa"]
    assert await listed(f"from={day(0)}&to={day(1)}") == ["Di Wu", "Ada Costa"]
    assert await listed(f"from={day(2)}") == ["Bo Lind"]
    assert await listed(f"from={day(2)}&status=cancelled") == ["Cy Ott"]
    assert await listed(f"to={day(3)}&has_room=false") == ["Bo Lind"]
    assert await listed("has_room=true") == ["Di Wu", "Ada Costa"]
    for query in ("from=x", "to=x", "has_room=x"):
        assert (await hotel.send("GET", f"/stays?{query}")).status == 422
