"""The limits of SMS as owners set them."""

import pytest


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "quiet_until"),
        ({"quiet_from": "25:00", "quiet_until": "08:00"}, "quiet_from"),
        ({"monthly_limit": -1}, "monthly_limit"),
    ],
)
async def test_wrong_limits_are_refused(set_limits, fields, wrong):
    status, answer = await set_limits(**fields)

    assert (status, list(answer["errors"])) == (422, [wrong])
