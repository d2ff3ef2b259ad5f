"""Passkeys: adding them, signing in with them, and what attackers send."""

import dataclasses
import json

import pytest
from authenticator import USER_PRESENT, Authenticator
from comanda.accounts import administration, owner_login, web_sessions
from comanda.accounts.sign_in import passkeys
from comanda.platform.db import sql
from sign_in_browser import COOKIE, PASSWORD, Browser

PASSKEYS = "/account/security/passkeys"
CHALLENGE = "comanda_passkey"


async def read_json(response):
    return response.status_code, json.loads(await response.get_data())


async def register(browser, device, **fields):
    token = await browser.read_form_token("/account/security")
    _, answer = await read_json(await browser.post(f"{PASSKEYS}/options", {"csrf_token": token}))
    form = {"csrf_token": token, "name": "My phone", "credential": device.create(answer["options"]), **fields}
    return await read_json(await browser.post(PASSKEYS, form))


async def get_options(browser):
    token = await browser.read_form_token()
    _, answer = await read_json(await browser.post("/sign-in/passkey/options", {"csrf_token": token}))
    return token, answer["options"]


async def send(browser, token, credential, **fields):
    form = {"csrf_token": token, "credential": credential, **fields}
    return await read_json(await browser.post("/sign-in/passkey", form))


async def use(browser, device, **fields):
    token, options = await get_options(browser)
    return await send(browser, token, device.get(options), **fields)


def get_cookie(browser, name):
    return next((cookie.value for cookie in browser.client.cookie_jar if cookie.name == name), None)


@pytest.fixture
async def device(signed_in):
    """The device of the owner, with a passkey."""
    made = Authenticator()
    assert await register(signed_in, made) == (200, {"location": "/account/security?done=passkey"})
    return made


@pytest.fixture
async def intruder(app, other_owner):
    """Another owner's browser and device, with a passkey of theirs."""
    await owner_login.set_owner_password(other_owner.id, PASSWORD)
    browser, made = Browser(app), Authenticator()
    await browser.sign_in(other_owner.email)
    assert (await register(browser, made))[0] == 200
    return browser, made


async def test_owner_adds_a_passkey_and_signs_in_with_it(app, signed_in, person):
    device = Authenticator()
    token = await signed_in.read_form_token("/account/security")
    _, answer = await read_json(await signed_in.post(f"{PASSKEYS}/options", {"csrf_token": token}))
    options = answer["options"]
    assert options["rp"] == {"name": "Comanda", "id": "comanda.test"}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert person.email not in options["user"]["id"]
    await register(signed_in, device)
    assert "My phone" in await signed_in.get_text("/account/security")

    browser = Browser(app)
    _, asked = await get_options(browser)
    assert asked["userVerification"] == "required"
    assert asked.get("allowCredentials", []) == []
    status, answer = await use(browser, device, next="/docs/")

    assert (status, answer) == (200, {"location": "/docs/"})
    session = await web_sessions.find_session(browser.secret)
    assert (session.owner_id, session.kind, session.is_recent) == (person.id, "owner", True)
    rows = await sql.fetch("SELECT action, before_ids FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", person.id)
    assert [row["action"] for row in rows] == ["account/sign_in", "account/passkey_add", "account/sign_in"]


async def test_passkey_needs_no_second_factor_and_ends_the_session_before(app, device, person, signed_in):
    before = signed_in.secret
    token = await Browser(app).read_form_token()
    other = Browser(app)
    token, options = await get_options(other)
    other.client.set_cookie("localhost", COOKIE, before)

    status, _ = await send(other, token, device.get(options))

    assert status == 200
    assert other.secret != before
    assert await web_sessions.find_session(before) is None


async def test_answer_is_not_accepted_twice(app, device):
    browser = Browser(app)
    token, options = await get_options(browser)
    challenge, credential = get_cookie(browser, CHALLENGE), device.get(options)
    assert (await send(browser, token, credential))[0] == 200

    thief = Browser(app)
    token, _ = await get_options(thief)
    thief.client.set_cookie("localhost", CHALLENGE, challenge)
    status, answer = await send(thief, token, credential)

    assert (status, list(answer)) == (401, ["problem"])
    assert thief.secret is None


async def test_wrong_answer_uses_the_challenge_up(app, device):
    browser = Browser(app)
    token, options = await get_options(browser)
    challenge = get_cookie(browser, CHALLENGE)
    assert (await send(browser, token, "{}"))[0] == 401
    browser.client.set_cookie("localhost", CHALLENGE, challenge)

    assert (await send(browser, token, device.get(options)))[0] == 401


async def test_challenge_of_another_browser_is_refused(app, device):
    """An answer that a phishing page has obtained fits no challenge of the attacker's browser, and the other way."""
    victim, thief = Browser(app), Browser(app)
    _, options = await get_options(victim)
    token, _ = await get_options(thief)

    assert (await send(thief, token, device.get(options)))[0] == 401
    thief.client.delete_cookie("localhost", CHALLENGE)
    assert (await send(thief, token, device.get(options)))[0] == 401
    assert thief.secret is None


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://comanda.test:8080"},
        {"origin": "http://comanda.test.evil.example"},
        {"rp_id": "evil.example"},
        {"flags": USER_PRESENT},
        {"flags": 0},
        {"credential_id": b"unknown"},
        {"user_handle": ""},
        {"user_handle": "AAAA"},
    ],
    ids=str,
)
async def test_answers_of_other_places_and_devices_are_refused(app, device, changes):
    browser = Browser(app)

    status, _ = await use(browser, dataclasses.replace(device, **changes))

    assert status == 401
    assert browser.secret is None


async def test_forged_signature_type_and_challenge_are_refused(app, device):
    browser = Browser(app)
    forger = dataclasses.replace(device, key=Authenticator().key)
    assert (await use(browser, forger))[0] == 401
    for changes in ({"type": "webauthn.create"}, {"challenge": "AAAA"}):
        token, options = await get_options(browser)
        assert (await send(browser, token, device.get(options, **changes)))[0] == 401
    assert browser.secret is None


async def test_passkey_signs_nobody_else_in(app, device, intruder, person, other_owner):
    _, foreign = intruder
    # The intruder's key, in the name of the victim; with the id of the victim's credential, too.
    for changes in (
        {"user_handle": device.user_handle},
        {"user_handle": device.user_handle, "credential_id": device.credential_id},
    ):
        browser = Browser(app)
        assert (await use(browser, dataclasses.replace(foreign, **changes)))[0] == 401
        assert browser.secret is None
    browser = Browser(app)
    assert (await use(browser, foreign))[0] == 200
    assert (await web_sessions.find_session(browser.secret)).owner_id == other_owner.id


async def test_copied_passkey_is_noticed_by_its_counter(app, device):
    copy = dataclasses.replace(device)
    assert (await use(Browser(app), device))[0] == 200
    assert (await use(Browser(app), device))[0] == 200

    assert (await use(Browser(app), copy))[0] == 401


async def test_registration_is_of_its_session_and_challenge(app, signed_in, intruder, person):
    other, _ = intruder
    device = Authenticator()
    token = await signed_in.read_form_token("/account/security")
    _, answer = await read_json(await signed_in.post(f"{PASSKEYS}/options", {"csrf_token": token}))
    # The victim's challenge in the intruder's browser.
    other.client.set_cookie("localhost", CHALLENGE, get_cookie(signed_in, CHALLENGE))
    form = {
        "csrf_token": await other.read_form_token("/account/security"),
        "credential": device.create(answer["options"]),
    }
    assert (await other.post(PASSKEYS, form)).status_code == 422
    for changes in ({"origin": "https://evil.example"}, {"rp_id": "evil.example"}, {"flags": USER_PRESENT}):
        assert (await register(signed_in, Authenticator(**changes)))[0] == 422
    assert (await register(signed_in, device, credential="x" * 30_000))[0] == 422

    assert await passkeys.list_passkeys(person.id) == []


async def test_same_passkey_is_registered_once(signed_in, device, person):
    assert (await register(signed_in, device))[0] == 409
    assert len(await passkeys.list_passkeys(person.id)) == 1


async def test_adding_and_deleting_need_a_recent_sign_in(signed_in, device, person, clock):
    [known] = await passkeys.list_passkeys(person.id)
    token = await signed_in.read_form_token("/account/security")
    clock.advance(minutes=11)
    confirm = {"location": "/sign-in/confirm?next=/account/security"}

    for path in (f"{PASSKEYS}/options", PASSKEYS):
        assert await read_json(await signed_in.post(path, {"csrf_token": token})) == (200, confirm)
    response = await signed_in.post(f"{PASSKEYS}/{known.id}/delete", {"csrf_token": token})

    assert response.status_code == 403
    assert len(await passkeys.list_passkeys(person.id)) == 1


async def test_passkey_confirms_the_sign_in_of_its_owner(signed_in, device, intruder, clock):
    _, foreign = intruder
    clock.advance(minutes=11)
    token = await signed_in.read_form_token("/sign-in/confirm")

    async def confirm(using):
        _, answer = await read_json(await signed_in.post("/sign-in/confirm/passkey/options", {"csrf_token": token}))
        form = {"csrf_token": token, "next": "/docs/", "credential": using.get(answer["options"])}
        return await read_json(await signed_in.post("/sign-in/confirm/passkey", form))

    assert (await confirm(foreign))[0] == 401
    assert not (await web_sessions.find_session(signed_in.secret)).is_recent
    before = signed_in.secret
    assert await confirm(device) == (200, {"location": "/docs/"})
    assert signed_in.secret != before
    assert (await web_sessions.find_session(signed_in.secret)).is_recent


async def test_passkeys_are_renamed_and_deleted_by_their_owner(app, signed_in, device, intruder, person):
    other, _ = intruder
    [known] = await passkeys.list_passkeys(person.id)
    for path in ("name", "delete"):
        response = await other.send_form(f"{PASSKEYS}/{known.id}/{path}", {"name": "Stolen"})
        assert response.status_code == 404

    await signed_in.send_form(f"{PASSKEYS}/{known.id}/name", {"name": "<b>Phone</b>"})
    assert "&lt;b&gt;Phone&lt;/b&gt;" in await signed_in.get_text("/account/security")
    await signed_in.send_form(f"{PASSKEYS}/{known.id}/delete")

    assert await passkeys.list_passkeys(person.id) == []
    assert (await use(Browser(app), device))[0] == 401


async def test_forms_need_their_tokens(app, signed_in, device, person, other_owner):
    [known] = await passkeys.list_passkeys(person.id)
    _, foreign = await web_sessions.create_session(owner_id=other_owner.id)
    paths = ["", "/options", f"/{known.id}/name", f"/{known.id}/delete"]
    for path in [PASSKEYS + path for path in paths] + ["/sign-in/confirm/passkey", "/sign-in/confirm/passkey/options"]:
        for token in ("", foreign.csrf_token):
            assert (await signed_in.post(path, {"csrf_token": token, "name": "x"})).status_code == 403, path
    stolen = await Browser(app).read_form_token()
    browser = Browser(app)
    await browser.read_form_token()
    for path in ("/sign-in/passkey", "/sign-in/passkey/options"):
        assert (await browser.post(path, {"csrf_token": stolen})).status_code == 403
    assert len(await passkeys.list_passkeys(person.id)) == 1


async def test_suspended_owner_and_outward_paths(app, device, person):
    assert (await use(Browser(app), device, next="//evil.example"))[1] == {"location": "/dashboard"}
    await administration.suspend_owner(person.id, "Unpaid")
    browser = Browser(app)

    status, answer = await use(browser, device)

    assert (status, answer["problem"]) == (404, "This account is suspended.")
    assert browser.secret is None


async def test_challenges_are_limited_by_network(app):
    browser = Browser(app)
    token = await browser.read_form_token()
    statuses = [(await browser.post("/sign-in/passkey/options", {"csrf_token": token})).status_code for _ in range(301)]

    assert (set(statuses[:300]), statuses[300]) == ({200}, 429)
