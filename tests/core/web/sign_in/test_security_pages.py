"""The page of an account's security."""

import pytest
from comanda.accounts import owner_login, web_sessions
from comanda.accounts.sign_in import owner_two_factor
from comanda.platform.db import sql
from sign_in_browser import COOKIE, KEY, PASSWORD, SECURITY, Browser, cookies_of, list_entries, read_text


async def test_password_changes_and_other_sessions_end(signed_in, person):
    other, _ = await web_sessions.create_session(owner_id=person.id)

    response = await signed_in.send_form(
        f"{SECURITY}/password", {"current_password": PASSWORD, "password": "another horse battery"}
    )

    assert (response.status_code, response.headers["Location"]) == (303, f"{SECURITY}?done=password")
    assert "Your password is changed." in await signed_in.get_text(response.headers["Location"])
    assert await web_sessions.find_session(other) is None
    assert await owner_login.is_owner_password(person.id, "another horse battery")
    assert (await list_entries(person.id))[-1] == ("account/password_change", "ok")


@pytest.mark.parametrize(
    ("current", "new", "field"),
    [
        ("wrong", "another horse battery", "current_password"),
        (PASSWORD, "short", "password"),
        (PASSWORD, "12345678", "password"),
    ],
)
async def test_wrong_password_change_changes_nothing(signed_in, person, current, new, field):
    response = await signed_in.send_form(f"{SECURITY}/password", {"current_password": current, "password": new})

    text = await read_text(response)
    assert response.status_code == 422
    assert f'id="{field}-problem"' in text
    assert await owner_login.is_owner_password(person.id, PASSWORD)


async def test_guessing_the_current_password_is_limited(signed_in):
    token = await signed_in.read_form_token(SECURITY)
    form = {"csrf_token": token, "current_password": "wrong", "password": "another horse battery"}
    statuses = [(await signed_in.post(f"{SECURITY}/password", form)).status_code for _ in range(11)]

    assert statuses == [422] * 10 + [429]


async def test_other_sessions_are_ended(signed_in, person):
    other, _ = await web_sessions.create_session(owner_id=person.id)
    staff, _ = await web_sessions.create_session(owner_id=person.id, kind="staff", subject_id=1)

    await signed_in.send_form(f"{SECURITY}/sessions")

    assert await web_sessions.find_session(other) is None
    assert await web_sessions.find_session(staff) is not None
    assert await signed_in.is_signed_in()


@pytest.mark.parametrize(
    "path",
    ["/password", "/sessions", "/two-factor", "/two-factor/off", "/two-factor/recovery-codes"],
)
async def test_forms_need_the_sessions_token(signed_in, guarded_forms, path):
    for token in guarded_forms:
        response = await signed_in.post(SECURITY + path, {"csrf_token": token})
        assert response.status_code == 403
    token = await signed_in.read_form_token(SECURITY)
    response = await signed_in.post(SECURITY + path, {"csrf_token": token}, Sec_Fetch_Site="same-site")
    assert response.status_code == 403


@pytest.fixture
async def guarded_forms(other_owner):
    _, foreign = await web_sessions.create_session(owner_id=other_owner.id)
    return "", "0" * 64, foreign.csrf_token


@pytest.mark.parametrize("path", ["/two-factor", "/two-factor/off", "/two-factor/recovery-codes"])
async def test_forms_need_a_recent_sign_in(signed_in, person, clock, path):
    token = await signed_in.read_form_token(SECURITY)
    clock.advance(minutes=10)

    response = await signed_in.post(SECURITY + path, {"csrf_token": token})

    assert (response.status_code, "Nothing was changed." in await read_text(response)) == (403, True)


async def test_staff_see_their_sessions_and_nothing_of_the_owners(app, owner, store_id):
    secret, session = await web_sessions.create_session(
        owner_id=owner.id, kind="staff", subject_id=1, store_id=store_id, name="Till"
    )
    browser = Browser(app)
    browser.client.set_cookie("localhost", COOKIE, secret)

    text = await browser.get_text(SECURITY)

    assert "Till" in text
    assert "New password" not in text
    assert "/two-factor" not in text
    for path in ("/password", "/two-factor", "/two-factor/off"):
        assert (await browser.post(SECURITY + path, {"csrf_token": session.csrf_token})).status_code == 403


# Two-factor.


async def test_wrong_code_does_not_turn_two_factor_on(signed_in, person):
    text = await signed_in.get_text(f"{SECURITY}/two-factor")
    assert "<svg" in text

    response = await signed_in.send_form(f"{SECURITY}/two-factor", {"code": "000000"})

    assert response.status_code == 422
    assert KEY.search(await read_text(response))[1] == KEY.search(text)[1]
    assert not await owner_two_factor.is_enabled(person.id)


async def test_two_factor_is_turned_off(app, guarded, person):
    signed_in, _, _ = guarded
    assert (await signed_in.get(f"{SECURITY}/two-factor"))[0].headers["Location"] == SECURITY

    response = await signed_in.send_form(f"{SECURITY}/two-factor/off")

    assert response.headers["Location"] == f"{SECURITY}?done=two_factor_off"
    assert (await Browser(app).sign_in(person.email)).headers["Location"] == "/dashboard"


async def test_code_of_the_app_confirms_that_it_is_the_owner(guarded, clock, fields_of_code):
    signed_in, secret, _ = guarded
    clock.advance(minutes=11)
    token = await signed_in.read_form_token("/sign-in/confirm")

    response = await signed_in.post("/sign-in/confirm", {"csrf_token": token, "code": fields_of_code(secret)})

    assert response.status_code == 303
    assert COOKIE in cookies_of(response)
    token = await signed_in.read_form_token("/sign-in/confirm")
    again = await signed_in.post("/sign-in/confirm", {"csrf_token": token, "code": fields_of_code(secret)})
    assert again.status_code == 422


async def test_secret_and_recovery_codes_are_not_stored_in_the_clear(guarded, person):
    _, secret, codes = guarded

    stored = await sql.fetch_value("SELECT to_jsonb(t)::text FROM core_owner_totp t WHERE owner_id = $1", person.id)
    rows = await sql.fetch(
        "SELECT to_jsonb(c)::text AS row FROM core_owner_recovery_code c WHERE owner_id = $1", person.id
    )

    assert "enc1." in stored
    assert secret not in stored
    text = " ".join(row["row"] for row in rows)
    assert len(rows) == 10
    assert not [code for code in codes if code in text or code.replace("-", "") in text]
