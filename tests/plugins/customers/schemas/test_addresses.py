"""Validation of addresses."""

INVALID_ADDRESSES = [
    {}, {"line1": ""}, {"line1": "x" * 256}, {"line1": "x", "lat": 91, "lng": 0}, {"line1": "x", "lat": 1},
    {"line1": "x", "country": "Portugal"}, {"line1": "x", "lat": "north", "lng": 0}, {"label": "Home"},
]  # fmt: skip


async def test_invalid_address_is_rejected(ada, subtests):
    for body in INVALID_ADDRESSES:
        with subtests.test(body=body):
            assert (await ada.send("POST", "/addresses", body)).status == 422
            assert (await ada.get("/addresses"))["data"] == []
