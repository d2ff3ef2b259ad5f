"""Validation of room types."""

INVALID_ROOM_TYPES = [
    ({"base_price": -1}, "base_price"), ({"base_price": 0.001}, "base_price"), ({"max_adults": 0}, "max_adults"),
    ({"base_adults": 3}, "base_adults"), ({"min_stay": 31}, "min_stay"), ({"min_stay": 0}, "min_stay"),
    ({"overbooking_allowance": -1}, "overbooking_allowance"), ({"extra_adult_price": 1e11}, "extra_adult_price"),
]  # fmt: skip


async def test_invalid_room_type_is_refused(hotel, subtests):
    for fields, field in INVALID_ROOM_TYPES:
        with subtests.test(fields=fields, field=field):
            reply = await hotel.send(
                "POST", "/room-types", {"name": "Double", "base_price": 80, "max_adults": 2, **fields}
            )

            assert list(reply.errors) == [field]
            assert (await hotel.get("/room-types"))["total"] == 0
