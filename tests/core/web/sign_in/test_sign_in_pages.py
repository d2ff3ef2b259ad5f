"""Signing in with a second factor after the password."""

import asyncio

from comanda.accounts import owner_login
from sign_in_browser import RECOVERY, SECURITY, Browser, list_entries, read_text


async def enter_password(app, person):
    browser = Browser(app)
    response = await browser.sign_in(person.email, next="/docs/")
    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in/code?next=/docs/")
    assert browser.secret is None
    return browser


async def enter_code(browser, code, **fields):
    token = fields.pop("csrf_token", None) or await browser.read_form_token("/sign-in/code")
    return await browser.post("/sign-in/code", {"csrf_token": token, "code": code, "next": "/docs/", **fields})


async def test_code_is_asked_after_the_right_password_alone(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    stranger = Browser(app)
    assert (await stranger.sign_in(person.email, "wrong")).status_code == 401
    assert (await stranger.get("/sign-in/code"))[0].headers["Location"] == "/sign-in"
    browser = await enter_password(app, person)
    assert not await browser.is_signed_in()

    response = await enter_code(browser, fields_of_code(secret))

    assert (response.status_code, response.headers["Location"]) == (303, "/docs/")
    assert await browser.is_signed_in()
    assert (await list_entries(person.id))[-1] == ("account/sign_in", "ok")


async def test_code_is_not_accepted_twice(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    code = fields_of_code(secret)
    assert (await enter_code(await enter_password(app, person), code)).status_code == 303

    second = await enter_password(app, person)
    response = await enter_code(second, code)

    assert response.status_code == 422
    assert second.secret is None
    assert (await list_entries(person.id))[-1] == ("account/second_factor", "validation_failed")


async def test_one_of_simultaneous_requests_uses_a_code(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    browsers = [await enter_password(app, person) for _ in range(4)]
    code = fields_of_code(secret)

    responses = await asyncio.gather(*(enter_code(browser, code) for browser in browsers))

    assert sorted(response.status_code for response in responses) == [303, 422, 422, 422]


async def test_login_that_was_completed_is_worth_nothing_again(app, guarded, person, clock, fields_of_code):
    _, secret, _ = guarded
    browser = await enter_password(app, person)
    copied = next(cookie.value for cookie in browser.client.cookie_jar if cookie.name == "comanda_second_factor")
    await enter_code(browser, fields_of_code(secret))
    clock.advance(seconds=60)
    other = Browser(app)
    other.client.set_cookie("localhost", "comanda_second_factor", copied)
    token = await other.read_form_token()

    response = await enter_code(other, fields_of_code(secret), csrf_token=token)

    assert response.headers["Location"].startswith("/sign-in?")
    assert other.secret is None


async def test_guessing_codes_is_limited_across_logins(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    responses = [await enter_code(await enter_password(app, person), "000000") for _ in range(6)]
    statuses = [response.status_code for response in responses]
    browser = await enter_password(app, person)

    response = await enter_code(browser, fields_of_code(secret))

    assert statuses == [422] * 5 + [429]
    assert response.status_code == 429
    assert browser.secret is None


async def test_recovery_code_is_good_once(app, guarded, person):
    signed_in, _, codes = guarded

    assert (await enter_code(await enter_password(app, person), codes[0].upper())).status_code == 303
    assert (await enter_code(await enter_password(app, person), codes[0])).status_code == 422
    assert "9 recovery codes are left." in await signed_in.get_text(SECURITY)
    text = await read_text(await signed_in.send_form(f"{SECURITY}/two-factor/recovery-codes"))
    fresh = RECOVERY.findall(text)
    assert (await enter_code(await enter_password(app, person), codes[1])).status_code == 422
    assert (await enter_code(await enter_password(app, person), fresh[1])).status_code == 303


async def test_password_change_ends_a_login_that_waits_for_its_code(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    browser = await enter_password(app, person)
    await owner_login.set_owner_password(person.id, "another horse battery")

    response = await enter_code(browser, fields_of_code(secret))

    assert response.status_code == 401
    assert browser.secret is None


async def test_code_form_needs_its_token_and_leads_nowhere_else(app, guarded, person, fields_of_code):
    _, secret, _ = guarded
    browser = await enter_password(app, person)
    for token in ("0" * 64, await Browser(app).read_form_token()):
        response = await enter_code(browser, fields_of_code(secret), csrf_token=token)
        assert response.status_code == 403
    page, _ = await browser.get("/sign-in/code")
    assert page.headers["X-Frame-Options"] == "DENY"

    response = await enter_code(browser, fields_of_code(secret), next="//evil.example")

    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard")
