"""Validation of gift orders."""

import pytest


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"recipient_name": None}, {"recipient_name": ["Must be a string."]}),
        ({"recipient_name": " "}, {"recipient_name": ["Must not be blank."]}),
        ({"address": ""}, {"address": ["Address is required for gift deliveries."]}),
        ({"card_message": "x" * 301}, {"card_message": ["Must have at most 300 characters."]}),
        ({"day": "soon"}, {"delivery_day": ["Must be a date such as 2026-02-28."]}),
        ({"day": None}, {"delivery_day": ["Must be a valid date."]}),
        ({"day": {"a": 1}}, {"delivery_day": ["Must be a valid date."]}),
        (
            {"recipient_name": ["x"], "day": 0},
            {"recipient_name": ["Must be a string."], "delivery_day": ["This day has passed."]},
        ),
        ({"day": "2030-01-09"}, {"delivery_day": ["This day has passed."]}),
        ({"day": "2030-01-13"}, {"delivery_day": ["The shop is closed on 2030-01-13."]}),
        ({"day": "2030-03-12"}, {"delivery_day": ["Gifts can be ordered up to 2030-03-11."]}),
        ({"day": "9999-12-31"}, {"delivery_day": ["Gifts can be ordered up to 2030-03-11."]}),
        ({"day": "0001-01-01"}, {"delivery_day": ["This day has passed."]}),
    ],
    ids=str,
)
async def test_undeliverable_gift_is_refused(shop, published, fields, errors):
    before = await published()

    refused = await shop.gift(**fields)

    assert refused.errors == errors
    assert (await shop.get("/orders"))["total"] == 0
    assert await shop.taken() == {}
    assert await published() == before
