"""Input validation of locations."""

INVALID_LOCATIONS = [
    ({"lat": 90.1, "lng": 0}, "lat"),
    ({"lat": 0, "lng": -180.1}, "lng"),
    ({"lng": 0}, "lat"),
    ({"lat": None, "lng": 0}, "lat"),
    ({"lat": True, "lng": 0}, "lat"),
    ({"lat": "north", "lng": 0}, "lat"),
    ({"lat": 0, "lng": 0, "heading": 361}, "heading"),
    ({"lat": 0, "lng": 0, "speed": -1}, "speed"),
    ({"lat": 0, "lng": 0, "accuracy": -1}, "accuracy"),
    ({"lat": 0, "lng": 0, "recorded_at": "now"}, "recorded_at"),
    ({"lat": 0, "lng": 0, "recorded_at": "0001-01-01T00:00:00+14:00"}, "recorded_at"),
]


async def test_invalid_location_is_refused(driver, subtests):
    for body, field in INVALID_LOCATIONS:
        with subtests.test(body=body, field=field):
            assert list((await driver.send("PUT", "/location", body)).errors) == [field]
            assert await driver.read_position() == (None, None, None)
