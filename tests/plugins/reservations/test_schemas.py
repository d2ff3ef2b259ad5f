"""The validation of tables."""

INVALID_TABLES = [
    ({"number": "", "seats": 2}, "number"),
    ({"number": "x" * 21, "seats": 2}, "number"),
    ({"number": "1"}, "seats"),
    ({"number": "1", "seats": 0}, "seats"),
    ({"number": "1", "seats": True}, "seats"),
    ({"number": "1", "seats": 101}, "seats"),
    ({"number": "1", "seats": 2, "position": -1}, "position"),
]


async def test_invalid_table_returns_422(restaurant, subtests):
    for body, field in INVALID_TABLES:
        with subtests.test(body=body, field=field):
            reply = await restaurant.store.send("POST", "/tables", body)

            assert list(reply.errors) == [field]
            assert (await restaurant.store.get("/tables"))["total"] == 0
