"""Queries of availability."""

from ..conftest import day


async def test_dates_default_to_tonight(hotel):
    await hotel.room_type(rooms=1)

    found = await hotel.get("/availability")

    assert (found["check_in"], found["check_out"], found["adults"]) == (day(0), day(1), 1)
    assert [one["available"] for one in found["room_types"]] == [1]


async def test_room_type_is_an_id_or_a_name(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite, river", 1, first=201)

    async def names(asked):
        return [one["room_type_id"] for one in await hotel.offers(room_type=asked)]

    assert await names(double["id"]) == [double["id"]]
    assert await names("suite,%20RIVER") == [suite["id"]]
    refused = await hotel.send("GET", "/availability?room_type=Tent")
    assert refused.errors == {"room_type": ["This hotel has no room type Tent."]}


INVALID_QUERIES = [
    (f"check_in={day(-1)}", "check_in"), (f"check_in={day(731)}", "check_in"), ("check_in=9999-12-31", "check_in"),
    (f"check_in={day(2)}&check_out={day(2)}", "check_out"), (f"check_out={day(31)}", "check_out"),
    ("check_out=9999-12-31", "check_out"), ("check_in=today", "check_in"), ("check_in=0", "check_in"),
    ("adults=0", "adults"), ("adults=51", "adults"), ("children=-1", "children"), ("adults=x", "adults"),
]  # fmt: skip


async def test_invalid_query_is_refused(hotel, subtests):
    for query, field in INVALID_QUERIES:
        with subtests.test(query=query, field=field):
            assert list((await hotel.send("GET", f"/availability?{query}")).errors) == [field]
