"""Signing in and out over HTTP: forms, cookies, where they lead, and what attackers send."""

import dataclasses
from urllib.parse import parse_qs, urlsplit

import pytest
from comanda.accounts import administration, web_sessions
from comanda.composition.app import create_app
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime as runtime_module
from comanda.web.sign_in.sessions import check_csrf, current_session, require_session, session_cookie
from quart import Blueprint, redirect
from sign_in_browser import COOKIE, FORM_TOKEN, PASSWORD, Browser, cookies_of

EVIL = (
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:a",
)


async def test_owner_signs_in_and_out(browser, person):
    response = await browser.sign_in(person.email)

    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard")
    _, text = await browser.get("/sign-in")
    assert person.email in text
    secret = browser.secret
    token = FORM_TOKEN.search(text)[1]

    response = await browser.post("/sign-out", {"csrf_token": token})

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")
    assert browser.secret is None
    assert await web_sessions.find_session(secret) is None
    assert not await browser.is_signed_in()


@pytest.mark.parametrize("path", ["/sign-in", "/sign-in?next=/docs/"])
async def test_page_is_private_and_cannot_be_framed(browser, path):
    response, _ = await browser.get(path)

    policy = response.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self'" in policy
    assert "unsafe" not in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Cache-Control"] == "no-store"


async def test_cookies_are_kept_from_scripts_and_other_sites(browser, person):
    response = await browser.sign_in(person.email)

    cookie = cookies_of(response)[COOKIE]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={30 * 24 * 3600}"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert "Secure" not in cookie  # this installation has no https


async def test_cookies_of_an_https_site_are_tied_to_its_host(runtime, person):
    settings = runtime.settings.model_copy(update={"public_url": "https://orders.example"})
    secured = dataclasses.replace(runtime, settings=settings)
    runtime_module.use(secured)
    try:
        app = create_app(secured, with_background=False)
        form = await app.test_client().get("https://orders.example/sign-in")
        cookie = session_cookie("ses_1")
        # A cookie of the same name without the prefix, as another host of the domain could set, is not read.
        secret, _ = await web_sessions.create_session(owner_id=person.id)
        shown = await app.test_client().get("/sign-in", headers={"Cookie": f"{COOKIE}={secret}"})
        right = await app.test_client().get("/sign-in", headers={"Cookie": f"__Host-{COOKIE}={secret}"})
    finally:
        runtime_module.use(runtime)

    [form_cookie] = form.headers.getlist("Set-Cookie")
    for text, name in ((cookie, f"__Host-{COOKIE}"), (form_cookie, "__Host-comanda_sign_in")):
        assert text.startswith(f"{name}=")
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(text.split("; "))
        assert "Domain" not in text
    assert "You are signed in" not in (await shown.get_data()).decode()
    assert "You are signed in" in (await right.get_data()).decode()


@pytest.mark.parametrize(("email", "password"), [(None, "wrong password"), ("nobody@example.com", PASSWORD), ("", "")])
async def test_wrong_credentials_look_the_same(browser, person, email, password):
    response = await browser.sign_in(person.email if email is None else email, password)

    assert response.status_code == 401
    text = (await response.get_data()).decode()
    assert "Invalid e-mail or password." in text
    assert COOKIE not in cookies_of(response)
    assert PASSWORD not in text


async def test_email_is_shown_again_as_text(browser):
    response = await browser.sign_in('"><script>alert(1)</script>')

    text = (await response.get_data()).decode()
    assert "<script>" not in text
    assert "&#34;&gt;&lt;script&gt;" in text


async def test_guessing_is_locked_with_a_time_to_wait(browser, person):
    token = await browser.read_form_token()
    statuses = [(await browser.sign_in(person.email, f"w{n}", csrf_token=token)).status_code for n in range(10)]
    response = await browser.sign_in(person.email, csrf_token=token)

    assert statuses == [401] * 10
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0
    assert browser.secret is None


async def test_suspended_owner_is_told_so_and_not_signed_in(browser, person):
    await administration.suspend_owner(person.id, "Unpaid")

    response = await browser.sign_in(person.email)

    assert response.status_code == 404
    text = (await response.get_data()).decode()
    assert "This account is suspended." in text
    assert "Unpaid" not in text
    assert browser.secret is None


# Session fixation: whatever secret a browser has before, it has another one afterwards.


async def test_signing_in_gives_a_new_secret_and_ends_the_session_before(browser, person):
    await browser.sign_in(person.email)
    before = browser.secret
    planted = Browser(browser.client.app)
    planted.client.set_cookie("localhost", COOKIE, before)
    token = await Browser(browser.client.app).read_form_token()
    form = await planted.client.get("/sign-in")
    assert token not in (await form.get_data()).decode()

    _, other = await web_sessions.create_session(owner_id=person.id)
    token = await read_fresh_form_token(planted)
    await planted.sign_in(person.email, csrf_token=token)

    assert planted.secret not in {None, before}
    assert await web_sessions.find_session(before) is None
    assert other.id in [each.id for each in await web_sessions.list_sessions(person.id, "owner")]


async def read_fresh_form_token(browser):
    """Return the token of a form that was loaded before somebody else's session was planted."""
    other = Browser(browser.client.app)
    token = await other.read_form_token()
    for cookie in other.client.cookie_jar:
        browser.client.set_cookie("localhost", cookie.name, cookie.value)
    return token


async def test_planted_secret_that_nobody_issued_is_not_taken_over(browser, person):
    planted = f"ses_1{'a' * 46}"
    browser.client.set_cookie("localhost", COOKIE, planted)

    await browser.sign_in(person.email)

    assert browser.secret != planted
    assert await web_sessions.find_session(planted) is None


# Forms of other sites.


@pytest.mark.parametrize("fields", [{"csrf_token": ""}, {"csrf_token": "0" * 64}, {"csrf_token": "é"}])
async def test_signing_in_needs_the_forms_token(browser, person, fields):
    await browser.read_form_token()
    response = await browser.post("/sign-in", {"email": person.email, "password": PASSWORD, **fields})

    assert response.status_code == 403
    assert browser.secret is None
    assert await web_sessions.list_sessions(person.id, "owner") == []


async def test_form_token_of_another_browser_does_not_sign_in(app, browser, person):
    """An attacker has a valid form of their own, but cannot put its cookie into the victim's browser."""
    stolen = await Browser(app).read_form_token()
    without_cookie, with_own = browser, Browser(app)
    await with_own.read_form_token()

    for victim in (without_cookie, with_own):
        response = await victim.sign_in(person.email, csrf_token=stolen)
        assert response.status_code == 403
        assert victim.secret is None


async def test_token_of_an_empty_or_strange_cookie_is_worth_nothing(browser, person):
    for value in ("", "x", "a" * 44):
        browser.client.set_cookie("localhost", "comanda_sign_in", value)
        for token in ("", await browser.read_form_token()):
            browser.client.set_cookie("localhost", "comanda_sign_in", value)
            assert (
                await browser.post("/sign-in", {"csrf_token": token, "email": "a", "password": "b"})
            ).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_forms_that_the_browser_calls_foreign_are_refused(browser, person, site):
    token = await browser.read_form_token()
    form = {"csrf_token": token, "email": person.email, "password": PASSWORD}

    assert (await browser.post("/sign-in", form, Sec_Fetch_Site=site)).status_code == 403
    assert browser.secret is None
    assert (await browser.post("/sign-in", form, Sec_Fetch_Site="same-origin")).status_code == 303
    _, text = await browser.get("/sign-in")
    form = {"csrf_token": FORM_TOKEN.search(text)[1]}
    assert (await browser.post("/sign-out", form, Sec_Fetch_Site=site)).status_code == 403
    assert await browser.is_signed_in()


async def test_form_in_an_older_tab_still_works(browser, person):
    older = await browser.read_form_token()
    await browser.read_form_token()

    assert (await browser.sign_in(person.email, csrf_token=older)).status_code == 303


@pytest.mark.parametrize(
    "fields", [{}, {"csrf_token": ""}, {"csrf_token": "0" * 64}, {"everywhere": "1"}, {"session_id": "1"}]
)
async def test_signing_out_needs_the_sessions_token(browser, person, other_owner, fields):
    await browser.sign_in(person.email)
    _, foreign = await web_sessions.create_session(owner_id=other_owner.id)

    for sent in (fields, {**fields, "csrf_token": foreign.csrf_token}):
        assert (await browser.post("/sign-out", sent)).status_code == 403

    assert await browser.is_signed_in()
    assert (await browser.get("/sign-out"))[0].status_code == 405


async def test_signing_out_without_session_needs_nothing(browser):
    response = await browser.post("/sign-out", {})

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")


# Other browsers of the same person.


async def test_other_browsers_of_the_same_person_can_be_signed_out(browser, person, other_owner):
    await browser.sign_in(person.email)
    mine, one = await web_sessions.create_session(owner_id=person.id, name="Safari on iPhone")
    two, _ = await web_sessions.create_session(owner_id=person.id)
    foreign, other = await web_sessions.create_session(owner_id=other_owner.id)
    staff, member = await web_sessions.create_session(owner_id=person.id, kind="staff", subject_id=1)
    _, text = await browser.get("/account/security")
    assert "Safari on iPhone" in text
    token = FORM_TOKEN.search(text)[1]

    for session_id in (one.id, other.id, member.id, "x"):
        await browser.post("/sign-out", {"csrf_token": token, "session_id": str(session_id)})

    assert await web_sessions.find_session(mine) is None
    for secret in (two, foreign, staff):
        assert await web_sessions.find_session(secret) is not None
    await browser.post("/sign-out", {"csrf_token": token, "everywhere": "1"})
    assert await web_sessions.list_sessions(person.id, "owner") == []
    assert await web_sessions.find_session(staff) is not None


# Where signing in leads.


async def test_person_returns_to_the_page_that_asked(browser, person):
    response = await browser.sign_in(person.email, next="/docs/guide/?page=2")

    assert (response.status_code, response.headers["Location"]) == (303, "/docs/guide/?page=2")
    response, _ = await browser.get("/sign-in?next=/docs/guide/%3Fpage%3D2")
    assert (response.status_code, response.headers["Location"]) == (303, "/docs/guide/?page=2")


@pytest.mark.parametrize("path", EVIL, ids=ascii)
async def test_next_never_leads_elsewhere(browser, person, path):
    _, text = await browser.get(f"/sign-in?next={path}")
    assert "evil" not in text
    response = await browser.sign_in(person.email, next=path, leaves_site="1")
    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard")
    for query in (f"?next={path}", f"?leaves_site=1&next={path}"):
        response, text = await browser.get(f"/sign-in{query}", Sec_Fetch_Mode="navigate")
        assert response.status_code == 200
        assert "Location" not in response.headers
        assert "Refresh" not in response.headers
        assert "evil" not in text
    token = await browser.read_form_token()
    response = await browser.post("/sign-out", {"csrf_token": token, "next": path})
    assert response.headers["Location"] == "/sign-in"


async def test_browser_opens_a_page_that_leaves_the_site_by_a_link(browser, person):
    """Browsers refuse a form whose answer, in the end, redirects to another site."""
    response = await browser.sign_in(person.email, next="/oauth/authorize?a=1&b=2", leaves_site="1")
    assert response.status_code == 303
    location = response.headers["Location"]

    page, text = await browser.get(location, Sec_Fetch_Mode="navigate")
    assert (page.status_code, page.headers["Refresh"]) == (200, "0; url=/oauth/authorize?a=1&b=2")
    assert '<a class="button" href="/oauth/authorize?a=1&amp;b=2">' in text

    page, _ = await browser.get(location)
    assert (page.status_code, page.headers["Location"]) == (303, "/oauth/authorize?a=1&b=2")


# What pages of plugins build on.


@pytest.fixture(scope="module")
def garden(app):
    """An application with pages that need a session."""
    blueprint = Blueprint("garden", __name__)

    @blueprint.get("/garden/<name>")
    async def show(name):
        session = await require_session(leaves_site=name == "leaving")
        return f'{name} of {session.owner_id} <i name="csrf_token" value="{session.csrf_token}">'

    @blueprint.post("/garden/<name>")
    async def plant(name):
        session = await require_session(kinds=("owner", "staff"))
        await check_csrf(session)
        return redirect(f"/garden/{name}", 303)

    @blueprint.get("/gate")
    async def gate():
        session = await current_session()
        return "open" if session is None else session.kind

    runtime = runtime_module.current()
    registry = dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, Pages(blueprint)))
    return create_app(dataclasses.replace(runtime, registry=registry), with_background=False)


async def test_page_asks_for_signing_in_and_is_returned_to(garden, person):
    browser = Browser(garden)
    response, _ = await browser.get("/garden/roses?colour=red&next=//evil.example")

    assert response.status_code == 303
    assert response.headers["Content-Security-Policy"]
    parts = urlsplit(response.headers["Location"])
    assert parts.path == "/sign-in"
    query = parse_qs(parts.query)
    assert query == {"next": ["/garden/roses?colour=red&next=//evil.example"]}
    response = await browser.sign_in(person.email, next=query["next"][0])
    response, text = await browser.get(response.headers["Location"])
    assert text.startswith(f"roses of {person.id}")


async def test_page_that_leaves_the_site_says_so(garden):
    response, _ = await Browser(garden).get("/garden/leaving")

    assert response.headers["Location"] == "/sign-in?leaves_site=1&next=/garden/leaving"


@pytest.mark.parametrize("path", ["//evil.example", "/garden//evil.example"])
async def test_page_at_a_strange_address_is_not_returned_to(garden, path):
    response, _ = await Browser(garden).get(path)

    location = urlsplit(response.headers.get("Location", ""))
    assert location.netloc in {"", "localhost"}
    assert not location.path.startswith("//")
    assert location.query == ""


async def test_form_of_a_page_needs_its_session_and_token(garden, person):
    browser = Browser(garden)
    response = await browser.post("/garden/roses", {})
    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")
    await browser.sign_in(person.email)
    token = await browser.read_form_token("/garden/roses")

    assert (await browser.post("/garden/roses", {"csrf_token": token[:-1]})).status_code == 403
    assert (await browser.post("/garden/roses", {"csrf_token": token})).status_code == 303


async def test_staff_may_only_use_pages_that_name_them(garden, owner):
    secret, session = await web_sessions.create_session(owner_id=owner.id, kind="staff", subject_id=1)
    browser = Browser(garden)
    browser.client.set_cookie("localhost", COOKIE, secret)

    response, text = await browser.get("/garden/roses")
    assert response.status_code == 403
    assert "You are signed in with an account that may not use this page." in text
    assert (await browser.post("/garden/roses", {"csrf_token": session.csrf_token})).status_code == 303
    assert (await browser.get("/gate"))[1] == "staff"


async def test_nobody_is_signed_in_without_a_valid_cookie(garden, owner):
    secret, session = await web_sessions.create_session(owner_id=owner.id)
    browser = Browser(garden)
    assert (await browser.get("/gate"))[1] == "open"
    browser.client.set_cookie("localhost", COOKIE, secret)
    assert (await browser.get("/gate"))[1] == "owner"

    await web_sessions.end_session(owner.id, session.id)

    assert (await browser.get("/gate"))[1] == "open"


async def test_api_ignores_the_cookie(app, owner):
    """Otherwise, any page that a person visits could call the API in their name."""
    secret, _ = await web_sessions.create_session(owner_id=owner.id)
    browser = Browser(app)
    browser.client.set_cookie("localhost", COOKIE, secret)

    assert (await browser.client.get("/api/v1/me")).status_code == 401
