"""Forgotten passwords: a link by e-mail that is good once, and answers that say nothing about addresses."""

import asyncio
import re

import pytest
from comanda.accounts import administration, owner_login, web_sessions
from comanda.accounts.owners import messages
from comanda.accounts.sign_in import password_reset
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from sign_in_browser import PASSWORD, Browser, read_text

LINK = re.compile(r"http://comanda\.test(/sign-in/reset/\w+)")
NEW = "another horse battery"


@pytest.fixture
async def ask(browser, sent_messages):
    """Ask for a link and return the answer and the link that was sent, if any."""

    async def send(email, language="en", **headers):
        count = len(sent_messages.messages)
        token = await browser.read_form_token("/sign-in/forgot")
        form = {"csrf_token": token, "email": email}
        response = await browser.post("/sign-in/forgot", form, **{"Accept-Language": language, **headers})
        await asyncio.gather(*messages._sending)
        sent = sent_messages.messages[count:]
        return response, LINK.search(sent[0].text)[1] if sent else None

    return send


async def test_owner_chooses_a_new_password(app, browser, person, ask, sent_messages):
    session, _ = await web_sessions.create_session(owner_id=person.id)
    assert 'href="/sign-in/forgot"' in await browser.get_text("/sign-in")
    response, path = await ask(person.email.upper(), "pt-BR,en")
    assert response.status_code == 200
    assert sent_messages.messages[-1].subject == "Escolha uma nova palavra-passe"
    assert sent_messages.messages[-1].to == person.email
    page, text = await browser.get(path)
    assert (page.status_code, page.headers["Referrer-Policy"], page.headers["X-Frame-Options"]) == (
        200,
        "no-referrer",
        "DENY",
    )
    assert 'name="password"' in text

    response = await browser.post(path, {"password": NEW})

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")
    assert await web_sessions.find_session(session) is None
    assert browser.secret is None
    assert (await Browser(app).sign_in(person.email, PASSWORD)).status_code == 401
    assert (await Browser(app).sign_in(person.email, NEW)).status_code == 303
    rows = await sql.fetch("SELECT action FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", person.id)
    assert rows[0]["action"] == "account/password_reset"


async def test_link_is_good_once_and_for_half_an_hour(browser, person, ask, clock):
    _, path = await ask(person.email)
    _, other = await ask(person.email)
    assert (await browser.post(path, {"password": "short"})).status_code == 422
    assert (await browser.post(path, {"password": NEW})).status_code == 303

    for used in (path, other, path + "1", path[:-1], "/sign-in/reset/x"):
        assert (await browser.get(used))[0].status_code == 404
        assert (await browser.post(used, {"password": "horse battery three"})).status_code == 404
    _, late = await ask(person.email)
    clock.advance(minutes=30)
    assert (await browser.post(late, {"password": "horse battery four"})).status_code == 404
    assert await owner_login.is_owner_password(person.id, NEW)


async def test_one_of_simultaneous_requests_uses_the_link(person, ask):
    _, path = await ask(person.email)
    token = path.rpartition("/")[2]

    results = await asyncio.gather(
        *(password_reset.reset_password(token, f"horse battery {number}") for number in range(4)),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["NotFound"] * 3 + ["int"]


async def test_answer_says_nothing_about_the_address(browser, person, other_owner, ask):
    await administration.suspend_owner(other_owner.id, "Unpaid")
    answers = {}
    for email in (person.email, "nobody@example.com", other_owner.email, "nobody\0@example.com"):
        response, path = await ask(email)
        answers[email] = (response.status_code, (await read_text(response)).replace(email, "…").replace("\0", ""))
        assert (path is not None) == (email == person.email)

    known = answers[person.email]
    assert known[0] == 200
    assert answers["nobody@example.com"] == answers[other_owner.email] == known


@pytest.mark.parametrize("is_known", [True, False])
async def test_requests_are_limited_alike(person, ask, is_known):
    email = person.email if is_known else f"nobody-{person.id}@example.com"

    statuses = [(await ask(email))[0].status_code for _ in range(4)]

    assert statuses == [200, 200, 200, 429]


async def test_other_sites_cannot_ask_or_reset(app, browser, person, ask, sent_messages):
    stolen = await Browser(app).read_form_token()
    await browser.read_form_token()
    for token in ("", "0" * 64, stolen):
        response = await browser.post("/sign-in/forgot", {"csrf_token": token, "email": person.email})
        assert response.status_code == 403
    assert sent_messages.messages == []
    _, path = await ask(person.email)
    assert (await browser.post(path, {"password": NEW}, Sec_Fetch_Site="cross-site")).status_code == 403
    assert await owner_login.is_owner_password(person.id, PASSWORD)


async def test_link_is_made_for_the_configured_host(person, ask):
    """A forged Host header must not lead the owner to another site."""
    _, path = await ask(person.email, Host="evil.example")

    assert path is not None


async def test_page_is_not_offered_without_an_email_transport(browser, person, monkeypatch):
    monkeypatch.setattr(messages, "_find_transport", lambda: None)

    text = await browser.get_text("/sign-in")
    assert "/sign-in/forgot" not in text
    assert "Ask your administrator" in text
    assert (await browser.get("/sign-in/forgot"))[0].status_code == 404
    assert (await browser.post("/sign-in/forgot", {"email": person.email})).status_code == 404


async def test_token_is_masked_in_logs(app):
    assert "/sign-in/reset/" in runtime_module.registry().secret_paths()
    assert "/setup/" in runtime_module.registry().secret_paths()
