"""Input validation and rate limit of the login."""

import pytest


async def test_eleventh_call_in_a_minute_is_rate_limited(login_client, known_driver, new_login_client):
    statuses = [(await login_client.post("verify", code="000000")).status for _ in range(12)]

    assert statuses == [422] * 10 + [429] * 2
    # Of another phone nothing was counted, and however the number is written it is the same.
    assert (await new_login_client().post("verify", code="000000")).status == 422
    spaced = new_login_client()
    spaced.phone = f"{login_client.phone[:4]} {login_client.phone[4:]}"
    assert (await spaced.post("request")).status == 429


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


@pytest.mark.parametrize("text", ["{0}", "{0[0]}{0[1]}{0[2]} {0[3]}{0[4]}{0[5]} {0[6]}{0[7]}{0[8]}", "00351{0}"])
async def test_number_as_people_of_a_country_write_it_logs_in(login_client, known_driver, text):
    national = text.format(login_client.phone.removeprefix("+351"))

    reply = await login_client.post("request", phone=national, country="PT")
    [message] = await login_client.list_messages()
    code = message.partition(" ")[0]
    entered = await login_client.post("verify", phone=national, country="PT", code=code)

    assert (reply.status, entered.status) == (200, 200)
    assert entered["driver"]["id"] == known_driver.id


@pytest.mark.parametrize(
    ("phone", "country", "field"),
    [
        ("12", "PT", "phone"),
        ("call me", "PT", "phone"),
        ("961234567", "pt", "country"),
        ("961234567", "Portugal", "country"),
    ],
)
async def test_number_of_no_country_is_refused(login_client, phone, country, field):
    reply = await login_client.post("request", phone=phone, country=country)

    assert (reply.status, list(reply.errors)) == (422, [field])
