"""Input validation and rate limit of the login."""

import pytest


async def test_eleventh_call_in_a_minute_is_rate_limited(login_client, known_driver, new_login_client):
    statuses = [(await login_client.post("verify", code="000000")).status for _ in range(12)]

    # A minute may end in between.
    assert statuses.count(422) >= 10
    assert set(statuses) <= {422, 429}
    # Of another phone nothing was counted, and however the number is written it is the same.
    assert (await new_login_client().post("verify", code="000000")).status == 422
    spaced = new_login_client()
    spaced.phone = f"{login_client.phone[:4]} {login_client.phone[4:]}"
    assert (await spaced.post("request")).status in {200, 429}


@pytest.mark.parametrize("phone", ["", "call me", "961234567", "+1", None, 5, ["+351961234567"], "+351961234567" * 9])
@pytest.mark.parametrize("act", ["request", "verify"])
async def test_invalid_phone_is_refused(login_client, act, phone):
    reply = await login_client.post(act, phone=phone, code="123456")

    assert list(reply.errors) == ["phone"]


@pytest.mark.parametrize(
    "code", ["", "x", "\uff11\uff12\uff13\uff14\uff15\uff16", "0" * 21, 123456, None, "12345\x006"]
)
async def test_invalid_code_is_refused(login_client, known_driver, code):
    await login_client.post("request")

    reply = await login_client.post("verify", code=code)

    assert list(reply.errors) == ["code"]
