"""Validation of occasions."""

import pytest


@pytest.mark.parametrize("body", [{"month": 2, "day": 30}, {"month": 4, "day": 31}])
async def test_day_outside_its_month_is_refused(shop, body):
    whole = {"recipient_name": "Rui", "what": "Birthday", **body}
    made = await shop.occasion(month=2, day=29)

    assert list((await shop.send("POST", "/florist/occasions", whole)).errors) == ["day"]
    assert list((await shop.send("PATCH", f"/florist/occasions/{made['id']}", body)).errors) == ["day"]
    assert await shop.occasions() == [made]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"recipient_name": "\x00 "}, "recipient_name"),
        ({"recipient_name": "x" * 256}, "recipient_name"),
        ({"what": 7}, "what"),
        ({"month": 0}, "month"),
        ({"month": True}, "month"),
        ({"day": 10**30}, "day"),
        ({"remind_days_before": 61}, "remind_days_before"),
        ({"phone": ["1"]}, "phone"),
        ({"note": "x" * 2001}, "note"),
    ],
    ids=str,
)
async def test_invalid_fields_are_refused_by_name(shop, fields, wrong):
    made = await shop.occasion()
    whole = {"recipient_name": "Eva", "what": "Birthday", "month": 5, "day": 3, **fields}

    assert list((await shop.send("POST", "/florist/occasions", whole)).errors) == [wrong]
    assert list((await shop.send("PATCH", f"/florist/occasions/{made['id']}", fields)).errors) == [wrong]
    assert await shop.occasions() == [made]
