"""The second factor: turned on and off, used once, and on known devices only."""

import asyncio

import pyotp
import pytest
from comanda.db import sql


def code_at(secret, moment):
    return pyotp.TOTP(secret).at(moment)


@pytest.fixture
def turn_on(clock):
    """Turn two-factor on for somebody who is logged in; returns the secret and the recovery codes."""

    async def confirm(person):
        setup = await person.send("POST", "/2fa/setup")
        assert setup.status == 200
        reply = await person.send("POST", "/2fa/confirm", {"code": code_at(setup["secret"], clock())})
        assert reply.status == 200, reply
        clock.advance(seconds=60)
        return setup["secret"], reply["recovery_codes"]

    return confirm


async def test_an_app_is_set_up_and_confirmed(waiter, clock):
    setup = await waiter.send("POST", "/2fa/setup")

    assert setup["otpauth_uri"].startswith("otpauth://totp/Comanda:")
    assert f"secret={setup['secret']}" in setup["otpauth_uri"]
    assert setup["qr_svg"].startswith("<svg")
    assert setup["expires_in"] == 600
    assert (await waiter.send("GET", "/me"))["two_factor"] is False
    on = await waiter.send("POST", "/2fa/confirm", {"code": code_at(setup["secret"], clock())})
    assert on["two_factor"] is True
    assert len(set(on["recovery_codes"])) == 10
    me = await waiter.send("GET", "/me")
    assert (me["two_factor"], me["recovery_codes_left"]) == (True, 10)
    assert (await waiter.send("POST", "/2fa/setup")).status == 409


async def test_a_wrong_or_late_confirmation_turns_nothing_on(waiter, clock):
    assert (await waiter.send("POST", "/2fa/confirm", {"code": "123456"})).status == 409
    setup = await waiter.send("POST", "/2fa/setup")
    wrong = await waiter.send("POST", "/2fa/confirm", {"code": "abc"})
    assert (list(wrong.errors), wrong["reason"]) == (["code"], "otp_invalid")
    clock.advance(minutes=11)
    late = await waiter.send("POST", "/2fa/confirm", {"code": code_at(setup["secret"], clock())})
    assert (late.status, late["reason"]) == (422, "otp_expired")

    assert (await waiter.send("GET", "/me"))["two_factor"] is False


async def test_a_login_needs_the_code_and_says_so_only_with_the_right_password(waiter, turn_on, clock):
    secret, _ = await turn_on(waiter)

    missing = await waiter.login()
    assert (missing.status, missing["reason"]) == (401, "two_factor_required")
    wrong = await waiter.login(password="not the password")
    assert (wrong.status, wrong["reason"]) == (401, "invalid_credentials")
    bad = await waiter.login(otp="000000")
    assert (bad.status, bad["reason"], list(bad.errors)) == (422, "otp_invalid", ["otp"])
    assert (await waiter.login(otp=code_at(secret, clock()))).status == 200


@pytest.mark.parametrize(("seconds", "status"), [(-61, 422), (-30, 200), (0, 200), (30, 200), (61, 422)])
async def test_a_code_is_good_for_a_step_before_and_after(waiter, turn_on, clock, seconds, status):
    secret, _ = await turn_on(waiter)
    clock.advance(minutes=10)

    code = code_at(secret, clock().timestamp() + seconds)

    assert (await waiter.login(otp=code)).status == status


async def test_a_code_opens_one_door_once(waiter, turn_on, clock):
    secret, _ = await turn_on(waiter)
    code = code_at(secret, clock())

    replies = await asyncio.gather(*(waiter.login(otp=code) for _ in range(3)))

    assert sorted(reply.status for reply in replies) == [200] + [422] * 2
    clock.advance(seconds=30)
    assert (await waiter.login(otp=code)).status == 422
    # Nor does an earlier step's, which nobody has used.
    assert (await waiter.login(otp=code_at(secret, clock().timestamp() - 60))).status == 422


async def test_the_code_that_confirmed_does_not_log_in(waiter, clock):
    setup = await waiter.send("POST", "/2fa/setup")
    code = code_at(setup["secret"], clock())
    await waiter.send("POST", "/2fa/confirm", {"code": code})

    assert (await waiter.login(otp=code)).status == 422


async def test_a_recovery_code_is_good_once_in_whatever_spelling(waiter, turn_on):
    _, codes = await turn_on(waiter)

    assert (await waiter.login(recovery_code=codes[0].upper().replace("-", " "))).status == 200
    again = await waiter.login(recovery_code=codes[0])
    assert (again.status, list(again.errors)) == (422, ["recovery_code"])
    replies = await asyncio.gather(*(waiter.login(recovery_code=codes[1]) for _ in range(4)))
    assert sorted(reply.status for reply in replies) == [200] + [422] * 3
    assert (await waiter.send("GET", "/me"))["recovery_codes_left"] == 8


async def test_codes_cannot_be_guessed(waiter, turn_on, clock):
    secret, _ = await turn_on(waiter)
    guesses = [await waiter.login(otp=f"{number:06}") for number in range(8)]

    assert [reply.status for reply in guesses] == [422] * 5 + [429] * 3
    assert guesses[-1]["retry_after"] > 600
    assert (await waiter.login(otp=code_at(secret, clock()))).status == 429


async def test_a_pin_is_enough_only_on_a_device_with_a_full_login(employ, turn_on, clock):
    person = await employ(pin="7391")
    await person.login(device="till")
    secret, _ = await turn_on(person)
    # That login was one without the second factor.
    refused = await person.enter(device="till")
    assert (refused.status, refused["reason"]) == (401, "two_factor_required")

    await person.login(device="till", otp=code_at(secret, clock()))

    assert (await person.enter(device="till")).status == 200
    assert (await person.enter(device="phone of a stranger")).status == 401
    clock.advance(days=31)
    assert (await person.enter(device="till")).status == 401


async def test_turning_off_needs_password_and_code(waiter, turn_on, clock):
    secret, codes = await turn_on(waiter)

    async def off(**body):
        return await waiter.send("POST", "/2fa/disable", body)

    password = "lemon tart at dawn"
    assert (await off(password="not the password", code=code_at(secret, clock()))).status == 401
    assert (await off(password=password, code="000000")).status == 422
    assert (await off(password=password)).status == 422
    assert (await waiter.send("GET", "/me"))["two_factor"] is True
    assert (await off(password=password, recovery_code=codes[0])).document == {"two_factor": False}
    assert (await waiter.login()).status == 200
    assert (await off(password=password, code="123456")).status == 409


async def test_an_owner_resets_it_for_somebody_who_lost_it(waiter, turn_on):
    await turn_on(waiter)

    reset = await waiter.store.send("DELETE", f"/staff/{waiter.id}/2fa")

    assert reset.document == {"two_factor": False}
    assert (await waiter.send("GET", "/me")).status == 401
    assert (await waiter.login()).status == 200
    assert await sql.fetch_value("SELECT count(*) FROM staff_recovery_code WHERE staff_id = $1", waiter.id) == 0


async def test_who_logs_in_by_pin_alone_has_no_second_factor(employ):
    person = await employ(email=None, password=None, pin="7391")
    await person.enter()

    assert (await person.send("POST", "/2fa/setup")).status == 409
