"""Identities of staff, and accounts that are gone."""

import html

from comanda.accounts import web_sessions
from comanda.platform.db import sql
from comanda.platform.encryption.values import encrypt
from comanda_staff.models import TOTP_SECRET
from sign_in_browser import read_text

SEVERAL = "Several accounts here use this address. Sign in with your password and link one of them."
UNKNOWN = "No account here uses this address. Ask your administrator to create one."


async def refuse(response, sentence):
    return response.status_code == 401 and sentence in html.unescape(await read_text(response))


async def test_member_of_staff_signs_in(openid, member, owner, browser):
    await browser.sign_in_there(openid)

    session = await web_sessions.find_session(browser.secret)
    assert (session.owner_id, session.kind, session.subject_id) == (owner.id, "staff", member[0])
    assert "orders" in session.scopes


async def test_deactivated_member_does_not_sign_in(openid, member, browser):
    await browser.sign_in_there(openid)
    await browser.send_form("/sign-out", page="/account/security")
    await sql.execute("UPDATE staff_member SET is_active = false WHERE id = $1", member[0])

    assert await refuse(await browser.sign_in_there(openid), UNKNOWN)
    assert not await browser.is_signed_in()


async def test_member_with_two_factor_is_asked_for_it(openid, member, owner, browser, other_browser, configure):
    secret = encrypt("A" * 32, TOTP_SECRET, owner.id, member[0])
    await sql.execute("UPDATE staff_member SET totp_secret = $2 WHERE id = $1", member[0], secret)

    assert (await browser.sign_in_there(openid)).headers["Location"] == "/sign-in/code"
    configure(checks_two_factor=True)
    await other_browser.sign_in_there(openid)

    assert browser.secret is None
    assert await other_browser.is_signed_in()


async def test_address_of_several_stores_is_nobodys(openid, member, owner, other_owner, browser):
    store_id = await other_owner.store()
    await sql.execute(
        "INSERT INTO staff_member (owner_id, store_id, name, email, password_hash, role, created_at, grants, denials,"
        " station_ids, is_active, totp_last_step) SELECT $1, $2, name, email, password_hash, role, created_at, grants,"
        " denials, station_ids, true, 0 FROM staff_member WHERE owner_id = $3 AND id = $4",
        other_owner.id,
        store_id,
        owner.id,
        member[0],
    )

    assert await refuse(await browser.sign_in_there(openid), SEVERAL)
    assert await sql.fetch_value("SELECT count(*) FROM oidc_identity WHERE owner_id = $1", owner.id) == 0


async def test_identity_of_a_deleted_member_is_free_again(openid, member, person, browser, other_browser):
    openid.person = {"sub": "7", "email": member[1], "email_verified": True}
    await browser.sign_in_there(openid)
    await sql.execute("DELETE FROM staff_member WHERE id = $1", member[0])
    openid.person["email"] = person.email

    await other_browser.sign_in_there(openid)

    session = await web_sessions.find_session(other_browser.secret)
    assert (session.owner_id, session.kind) == (person.id, "owner")
