"""Proving again who one is, before what is sensitive."""

import dataclasses

import pytest
from comanda.accounts import web_sessions
from comanda.composition.app import create_app
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.web.sign_in.sessions import check_csrf, require_recent_sign_in, require_session
from quart import Blueprint
from sign_in_browser import COOKIE, PASSWORD, Browser, read_text

SITE = "http://comanda.test"


@pytest.fixture(scope="module")
def vault(app):
    """An application with a page and a form that need a recent sign-in."""
    blueprint = Blueprint("vault", __name__)

    @blueprint.get("/vault")
    async def show():
        session = await require_session(kinds=("owner", "staff"))
        await require_recent_sign_in(session)
        return f'gold <i name="csrf_token" value="{session.csrf_token}">'

    @blueprint.post("/vault")
    async def empty():
        session = await require_session(kinds=("owner", "staff"))
        await check_csrf(session)
        await require_recent_sign_in(session)
        return "emptied"

    runtime = runtime_module.current()
    registry = dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, Pages(blueprint)))
    return create_app(dataclasses.replace(runtime, registry=registry), with_background=False)


@pytest.fixture
async def thief(vault, person, clock):
    """A browser whose owner signed in 10 minutes ago."""
    browser = Browser(vault)
    await browser.sign_in(person.email)
    clock.advance(minutes=10)
    return browser


async def get_actions(owner_id):
    rows = await sql.fetch("SELECT action, outcome FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", owner_id)
    return [tuple(row) for row in rows]


async def test_page_is_shown_after_a_recent_sign_in_alone(vault, person, clock):
    browser = Browser(vault)
    await browser.sign_in(person.email)
    clock.advance(minutes=9, seconds=59)
    assert (await browser.get_text("/vault")).startswith("gold")
    clock.advance(seconds=1)

    response, _ = await browser.get("/vault?bar=1")

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in/confirm?next=/vault%3Fbar%3D1")


async def test_password_confirms_and_renews_the_secret(thief, person):
    before = thief.secret
    token = await thief.read_form_token("/sign-in/confirm?next=/vault")

    response = await thief.post("/sign-in/confirm", {"csrf_token": token, "next": "/vault", "password": PASSWORD})

    assert (response.status_code, response.headers["Location"]) == (303, "/vault")
    assert thief.secret != before
    assert await web_sessions.find_session(before) is None
    text = await thief.get_text("/vault")
    assert text.startswith("gold")
    assert token in text  # forms in other tabs stay good
    assert await get_actions(person.id) == [("account/sign_in", "ok"), ("account/confirm", "ok")]


async def test_form_is_not_sent_without_confirmation(thief):
    form = {"csrf_token": await thief.read_form_token("/sign-in/confirm")}

    response = await thief.post("/vault", form, Referer=f"{SITE}/vault?tab=1")

    text = await read_text(response)
    assert response.status_code == 403
    assert "Nothing was changed." in text
    assert 'href="/sign-in/confirm?next=/vault%3Ftab%3D1"' in text
    for elsewhere in ("https://evil.example/vault", f"{SITE}.evil.example/", f"{SITE}//evil.example", "x"):
        text = await read_text(await thief.post("/vault", form, Referer=elsewhere))
        assert 'href="/sign-in/confirm"' in text


@pytest.mark.parametrize("fields", [{"password": "wrong"}, {}, {"code": "123456"}, {"code": "000000", "password": ""}])
async def test_wrong_proof_does_not_confirm(thief, person, fields):
    token = await thief.read_form_token("/sign-in/confirm")
    before = thief.secret

    response = await thief.post("/sign-in/confirm", {"csrf_token": token, "next": "/vault", **fields})

    assert response.status_code == 401
    assert thief.secret == before
    assert (await thief.get("/vault"))[0].status_code == 303
    assert (await get_actions(person.id))[-1] == ("account/confirm", "unauthenticated")


async def test_confirming_is_limited(thief):
    token = await thief.read_form_token("/sign-in/confirm")
    wrong = {"csrf_token": token, "password": "wrong"}
    statuses = [(await thief.post("/sign-in/confirm", wrong)).status_code for _ in range(10)]

    response = await thief.post("/sign-in/confirm", {"csrf_token": token, "password": PASSWORD})

    assert statuses == [401] * 10
    assert (response.status_code, "Retry-After" in response.headers) == (429, True)


async def test_confirmation_needs_the_sessions_token(thief, vault, person, other_owner):
    _, foreign = await web_sessions.create_session(owner_id=other_owner.id)

    for token in ("", "0" * 64, foreign.csrf_token):
        response = await thief.post("/sign-in/confirm", {"csrf_token": token, "password": PASSWORD})
        assert response.status_code == 403
    token = await thief.read_form_token("/sign-in/confirm")
    form = {"csrf_token": token, "password": PASSWORD}
    assert (await thief.post("/sign-in/confirm", form, Sec_Fetch_Site="cross-site")).status_code == 403
    assert (await thief.get("/vault"))[0].status_code == 303
    nobody = Browser(vault)
    for response in ((await nobody.get("/sign-in/confirm?next=/vault"))[0], await nobody.post("/sign-in/confirm", {})):
        assert response.headers["Location"].startswith("/sign-in")


@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:a"])
async def test_confirmation_leads_nowhere_else(thief, path):
    token = await thief.read_form_token(f"/sign-in/confirm?next={path}")

    response = await thief.post("/sign-in/confirm", {"csrf_token": token, "next": path, "password": PASSWORD})

    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard")


async def test_password_of_the_owner_does_not_confirm_staff(vault, person, clock):
    secret, session = await web_sessions.create_session(owner_id=person.id, kind="staff", subject_id=1)
    browser = Browser(vault)
    browser.client.set_cookie("localhost", COOKIE, secret)
    clock.advance(minutes=11)

    response = await browser.post("/sign-in/confirm", {"csrf_token": session.csrf_token, "password": PASSWORD})

    assert response.status_code == 401
    assert (await browser.get("/vault"))[0].status_code == 303


async def test_pages_cannot_be_framed_or_kept(thief):
    response, _ = await thief.get("/sign-in/confirm")

    assert response.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["Cache-Control"] == "no-store"
