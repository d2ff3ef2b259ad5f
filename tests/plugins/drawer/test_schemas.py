"""Validation of a new shift."""

INVALID_SHIFTS = [
    ({"opening_float": 1}, "drawer"),
    ({"drawer": " ", "opening_float": 1}, "drawer"),
    ({"drawer": "x" * 51, "opening_float": 1}, "drawer"),
    ({"drawer": "Bar"}, "opening_float"),
    ({"drawer": "Bar", "opening_float": -1}, "opening_float"),
    ({"drawer": "Bar", "opening_float": 0.005}, "opening_float"),
]


async def test_shift_requires_a_drawer_and_a_float(drawers, subtests):
    for fields, refused in INVALID_SHIFTS:
        with subtests.test(fields=fields, refused=refused):
            assert set((await drawers.send("POST", "/shifts", fields)).errors) == {refused}
            assert await drawers.list_rows() == []
