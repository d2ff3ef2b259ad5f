"""Validation of members."""

PASSWORD = "lemon tart at dawn"


COOK = {"name": "Rosa", "role": "kitchen", "email": "Rosa@Example.com", "password": PASSWORD, "pin": "5918"}


INVALID_MEMBERS = [
    ({"pin": "123"}, "pin"),
    ({"pin": "123456789"}, "pin"),
    ({"pin": "12a4"}, "pin"),
    ({"pin": "١٢٣٤"}, "pin"),
    ({"email": "nobody"}, "email"),
    ({"email": None}, "email"),
    ({"password": "short"}, "password"),
    ({"password": "rosa@example.com"}, "password"),
    ({"password": "password123"}, "password"),
    ({"password": None, "pin": None}, "pin"),
    ({"role": "boss"}, "role"),
    ({"grants": ["fly"]}, "grants.0"),
    ({"station_ids": [0]}, "station_ids.0"),
]


async def test_create_member_rejects_invalid_field(store, subtests):
    for fields, field in INVALID_MEMBERS:
        with subtests.test(fields=fields, field=field):
            reply = await store.send("POST", "/staff", {**COOK, **fields})

            assert list(reply.errors) == [field]
            assert (await store.get("/staff"))["total"] == 0
