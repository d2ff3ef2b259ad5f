"""Two-factor authentication."""

import asyncio

import pyotp
import pytest
from comanda.platform.db import sql


def get_code_at(secret, moment):
    return pyotp.TOTP(secret).at(moment)


@pytest.fixture
def enable_two_factor(clock):
    """Turn two-factor on for somebody who is logged in; returns the secret and the recovery codes."""

    async def confirm(person):
        setup = await person.send("POST", "/2fa/setup")
        assert setup.status == 200
        reply = await person.send("POST", "/2fa/confirm", {"code": get_code_at(setup["secret"], clock())})
        assert reply.status == 200, reply
        clock.advance(seconds=60)
        return setup["secret"], reply["recovery_codes"]

    return confirm


async def test_setup_is_confirmed_with_first_code(waiter, clock):
    setup = await waiter.send("POST", "/2fa/setup")

    assert setup["otpauth_uri"].startswith("otpauth://totp/Comanda:")
    assert f"secret={setup['secret']}" in setup["otpauth_uri"]
    assert setup["qr_svg"].startswith("<svg")
    assert setup["expires_in"] == 600
    assert (await waiter.send("GET", "/me"))["two_factor"] is False
    on = await waiter.send("POST", "/2fa/confirm", {"code": get_code_at(setup["secret"], clock())})
    assert on["two_factor"] is True
    assert len(set(on["recovery_codes"])) == 10
    me = await waiter.send("GET", "/me")
    assert (me["two_factor"], me["recovery_codes_left"]) == (True, 10)
    assert (await waiter.send("POST", "/2fa/setup")).status == 409


async def test_wrong_or_late_confirmation_is_rejected(waiter, clock):
    assert (await waiter.send("POST", "/2fa/confirm", {"code": "123456"})).status == 409
    setup = await waiter.send("POST", "/2fa/setup")
    wrong = await waiter.send("POST", "/2fa/confirm", {"code": "abc"})
    assert (list(wrong.errors), wrong["reason"]) == (["code"], "otp_invalid")
    clock.advance(minutes=11)
    late = await waiter.send("POST", "/2fa/confirm", {"code": get_code_at(setup["secret"], clock())})
    assert (late.status, late["reason"]) == (422, "otp_expired")

    assert (await waiter.send("GET", "/me"))["two_factor"] is False


async def test_login_requires_code_after_correct_password(waiter, enable_two_factor, clock):
    secret, _ = await enable_two_factor(waiter)

    missing = await waiter.log_in()
    assert (missing.status, missing["reason"]) == (401, "two_factor_required")
    wrong = await waiter.log_in(password="not the password")
    assert (wrong.status, wrong["reason"]) == (401, "invalid_credentials")
    bad = await waiter.log_in(otp="000000")
    assert (bad.status, bad["reason"], list(bad.errors)) == (422, "otp_invalid", ["otp"])
    assert (await waiter.log_in(otp=get_code_at(secret, clock()))).status == 200


@pytest.mark.parametrize(("seconds", "status"), [(-61, 422), (-30, 200), (0, 200), (30, 200), (61, 422)])
async def test_code_is_accepted_one_step_early_or_late(waiter, enable_two_factor, clock, seconds, status):
    secret, _ = await enable_two_factor(waiter)
    clock.advance(minutes=10)

    code = get_code_at(secret, clock().timestamp() + seconds)

    assert (await waiter.log_in(otp=code)).status == status


async def test_code_is_accepted_once(waiter, enable_two_factor, clock):
    secret, _ = await enable_two_factor(waiter)
    code = get_code_at(secret, clock())

    replies = await asyncio.gather(*(waiter.log_in(otp=code) for _ in range(3)))

    assert sorted(reply.status for reply in replies) == [200] + [422] * 2
    clock.advance(seconds=30)
    assert (await waiter.log_in(otp=code)).status == 422
    # Nor does an earlier step's, which nobody has used.
    assert (await waiter.log_in(otp=get_code_at(secret, clock().timestamp() - 60))).status == 422


async def test_confirmation_code_is_not_accepted_at_login(waiter, clock):
    setup = await waiter.send("POST", "/2fa/setup")
    code = get_code_at(setup["secret"], clock())
    await waiter.send("POST", "/2fa/confirm", {"code": code})

    assert (await waiter.log_in(otp=code)).status == 422


async def test_recovery_code_is_accepted_once_in_any_spelling(waiter, enable_two_factor):
    _, codes = await enable_two_factor(waiter)

    assert (await waiter.log_in(recovery_code=codes[0].upper().replace("-", " "))).status == 200
    again = await waiter.log_in(recovery_code=codes[0])
    assert (again.status, list(again.errors)) == (422, ["recovery_code"])
    replies = await asyncio.gather(*(waiter.log_in(recovery_code=codes[1]) for _ in range(4)))
    assert sorted(reply.status for reply in replies) == [200] + [422] * 3
    assert (await waiter.send("GET", "/me"))["recovery_codes_left"] == 8


async def test_code_attempts_are_limited(waiter, enable_two_factor, clock):
    secret, _ = await enable_two_factor(waiter)
    guesses = [await waiter.log_in(otp=f"{number:06}") for number in range(8)]

    assert [reply.status for reply in guesses] == [422] * 5 + [429] * 3
    assert guesses[-1]["retry_after"] > 600
    assert (await waiter.log_in(otp=get_code_at(secret, clock()))).status == 429


async def test_pin_login_requires_device_with_full_login(create_member, enable_two_factor, clock):
    person = await create_member(pin="7391")
    await person.log_in(device="till")
    secret, _ = await enable_two_factor(person)
    # That login was one without the second factor.
    refused = await person.log_in_by_pin(device="till")
    assert (refused.status, refused["reason"]) == (401, "two_factor_required")

    await person.log_in(device="till", otp=get_code_at(secret, clock()))

    assert (await person.log_in_by_pin(device="till")).status == 200
    assert (await person.log_in_by_pin(device="phone of a stranger")).status == 401
    clock.advance(days=31)
    assert (await person.log_in_by_pin(device="till")).status == 401


async def test_disable_requires_password_and_code(waiter, enable_two_factor, clock):
    secret, codes = await enable_two_factor(waiter)

    async def off(**body):
        return await waiter.send("POST", "/2fa/disable", body)

    password = "lemon tart at dawn"
    assert (await off(password="not the password", code=get_code_at(secret, clock()))).status == 401
    assert (await off(password=password, code="000000")).status == 422
    assert (await off(password=password)).status == 422
    assert (await waiter.send("GET", "/me"))["two_factor"] is True
    assert (await off(password=password, recovery_code=codes[0])).document == {"two_factor": False}
    assert (await waiter.log_in()).status == 200
    assert (await off(password=password, code="123456")).status == 409


async def test_owner_resets_two_factor(waiter, enable_two_factor):
    await enable_two_factor(waiter)

    reset = await waiter.store.send("DELETE", f"/staff/{waiter.id}/2fa")

    assert reset.document == {"two_factor": False}
    assert (await waiter.send("GET", "/me")).status == 401
    assert (await waiter.log_in()).status == 200
    assert await sql.fetch_value("SELECT count(*) FROM staff_recovery_code WHERE staff_id = $1", waiter.id) == 0


async def test_setup_requires_password_login(create_member):
    person = await create_member(email=None, password=None, pin="7391")
    await person.log_in_by_pin()

    assert (await person.send("POST", "/2fa/setup")).status == 409
