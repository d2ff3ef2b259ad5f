"""Signing in at a provider: linking, refusals, and what attackers send."""

import hmac
import html
import json
import secrets
from base64 import urlsafe_b64encode
from time import time
from urllib.parse import parse_qs, urlsplit

import pytest
from comanda.accounts import web_sessions
from comanda.accounts.sign_in import owner_two_factor
from comanda.platform.db import sql
from joserfc.jwk import RSAKey
from sign_in_browser import PASSWORD, list_entries, read_text

ACCOUNT = "/account/security/oidc"
UNKNOWN = "No account here uses this address. Ask your administrator to create one."
UNVERIFIED = "This sign-in could not be verified. Start again."
EXPIRED = "This sign-in has expired, or was started in another browser. Start again."
UNAVAILABLE = "This sign-in is not available at the moment. Try again, or use your password."


async def count_identities(owner_id):
    return await sql.fetch_value("SELECT count(*) FROM oidc_identity WHERE owner_id = $1", owner_id)


async def read_refusal(response):
    return response.status_code, html.unescape(await read_text(response))


async def test_button_leads_to_the_provider_with_pkce_state_and_nonce(openid, browser):
    text = await browser.get_text("/sign-in?next=/dashboard/account")

    assert 'href="/sign-in/oidc/works?next=%2Fdashboard%2Faccount"' in text
    assert "Sign in with Works" in text
    asked = parse_qs(urlsplit(await browser.start()).query)
    assert asked["redirect_uri"][0].endswith("/sign-in/oidc/works/callback")
    assert all(len(asked[name][0]) == 43 for name in ("state", "nonce", "code_challenge"))


async def test_first_sign_in_links_the_owner_with_the_address(openid, person, browser):
    response = await browser.sign_in_there(openid, "?next=/dashboard/account")

    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard/account")
    session = await web_sessions.find_session(browser.secret)
    assert (session.owner_id, session.kind) == (person.id, "owner")
    assert await count_identities(person.id) == 1
    assert await list_entries(person.id) == [("account/identity_link", "ok"), ("account/sign_in", "ok")]


async def test_changed_email_at_the_provider_keeps_the_account(openid, person, browser, other_browser):
    await browser.sign_in_there(openid)
    openid.person |= {"email": "elsewhere@other.example", "email_verified": False}

    response = await other_browser.sign_in_there(openid)

    assert response.status_code == 303
    assert (await web_sessions.find_session(other_browser.secret)).owner_id == person.id
    assert await count_identities(person.id) == 1


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "true"},
        {"email_verified": None},
        {"email_verified": None, "xms_edov": True},
        {"email": "owner@other.example"},
        {"email": "owner@evil.shops.example"},
        {"email": "nobody@shops.example"},
        {"email": None},
        {"email": 7},
        {"email": "\0@shops.example"},
    ],
)
async def test_address_that_proves_nothing_links_nothing(openid, person, browser, claims):
    openid.changes = claims

    response = await browser.sign_in_there(openid)

    status, text = await read_refusal(response)
    assert (status, UNKNOWN in text) == (401, True)
    assert browser.secret is None
    assert await count_identities(person.id) == 0


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another"},
        {"aud": ["comanda", "another"]},
        {"aud": None},
        {"azp": "another"},
        {"iss": "https://accounts.example"},
        {"iss": None},
        {"exp": int(time()) - 600},
        {"exp": None},
        {"exp": "soon"},
        {"iat": int(time()) + 3600},
        {"sub": None},
        {"sub": 7},
        {"sub": ""},
        {"sub": "x" * 300},
    ],
)
async def test_claims_of_another_sign_in_are_refused(openid, person, browser, claims):
    openid.changes = claims

    status, text = await read_refusal(await browser.sign_in_there(openid))

    assert (status, UNVERIFIED in text) == (401, True)
    assert browser.secret is None
    assert await count_identities(person.id) == 0


def encode(header, claims, key=None):
    head = b".".join(urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, claims))
    signature = hmac.digest(key, head, "sha256") if key else b""
    return (head + b"." + urlsafe_b64encode(signature).rstrip(b"=")).decode()


def sign_with_public_key(openid, claims):
    return encode({"alg": "HS256", "kid": openid.key.kid}, claims, openid.key.as_pem(private=False))


def sign_nothing(openid, claims):
    return encode({"alg": "none", "kid": openid.key.kid}, claims)


def sign_with_own_key(openid, claims):
    return openid.sign(claims, key=RSAKey.generate_key(2048, auto_kid=False))


def change_payload(openid, claims):
    head, _, signature = openid.sign(claims).split(".")
    return ".".join((head, openid.sign({**claims, "sub": "other"}).split(".")[1], signature))


@pytest.mark.parametrize(
    "forge",
    [
        sign_with_public_key,
        sign_nothing,
        sign_with_own_key,
        change_payload,
        lambda openid, claims: "noise",
        lambda openid, claims: "x" * 20_000,
        lambda openid, claims: "..",
    ],
)
async def test_forged_tokens_are_refused(openid, person, browser, forge):
    openid.token = lambda claims: forge(openid, claims)

    status, text = await read_refusal(await browser.sign_in_there(openid))

    assert (status, UNVERIFIED in text) == (401, True)
    assert browser.secret is None


async def test_answer_is_good_once_and_in_one_browser(openid, person, browser, other_browser):
    answer = openid.authorize(await browser.start())
    await other_browser.start()

    assert (await read_refusal(await other_browser.come_back(answer)))[0] == 403
    assert (await browser.come_back({**answer, "state": "another"})).status_code == 403
    status, text = await read_refusal(await browser.come_back(answer))

    assert (status, EXPIRED in text) == (403, True)
    assert browser.secret is other_browser.secret is None


async def test_replayed_answer_opens_no_second_session(openid, person, browser):
    answer = openid.authorize(await browser.start())
    await browser.come_back(answer)
    again = await browser.come_back(answer)

    assert again.status_code == 403
    assert openid.requests.count("token") == 1


async def test_code_of_another_flow_is_refused(openid, person, browser, other_browser):
    stolen = openid.authorize(await other_browser.start())["code"]
    answer = openid.authorize(await browser.start())

    response = await browser.come_back({**answer, "code": stolen})

    assert response.status_code == 503
    assert browser.secret is None


@pytest.mark.parametrize(
    "answer", [{"code": ""}, {"code": "x" * 5000}, {"iss": "https://accounts.example"}, {"code": "", "error": "denied"}]
)
async def test_answer_without_a_code_of_this_provider_is_refused(openid, person, browser, answer):
    response = await browser.come_back({**openid.authorize(await browser.start()), **answer})

    assert response.status_code == 401
    assert "token" not in openid.requests


@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
async def test_sign_in_leads_nowhere_else(openid, person, browser, path):
    response = await browser.sign_in_there(openid, f"?next={path}")

    assert response.headers["Location"] == "/dashboard"


async def test_new_keys_of_the_provider_are_read(openid, person, browser, other_browser, monkeypatch):
    await browser.sign_in_there(openid)
    openid.rotate_key()
    monkeypatch.setattr("comanda_oidc.services.providers.KEY_REFRESH_SECONDS", 0)

    assert (await other_browser.sign_in_there(openid)).status_code == 303
    assert openid.requests.count("discovery") == 1


@pytest.mark.parametrize(
    "problem", [{"status": 500}, {"metadata": {"issuer": "https://x.example"}}, {"metadata": {"token_endpoint": 7}}]
)
async def test_provider_that_fails_is_a_sentence(openid, browser, problem):
    for name, value in problem.items():
        setattr(openid, name, value)

    response = await browser.client.get("/sign-in/oidc/works")

    status, text = await read_refusal(response)
    assert (status, UNAVAILABLE in text) == (503, True)


async def test_unknown_provider_is_not_found(openid, browser):
    for path in ("/sign-in/oidc/other", "/sign-in/oidc/other/callback"):
        assert (await browser.client.get(path)).status_code == 404


async def test_flows_of_a_network_are_limited(openid, browser, monkeypatch):
    monkeypatch.setattr("comanda_oidc.services.flows.hmac_digest.hmac_digest", fresh_digest(secrets.token_bytes(32)))
    statuses = [(await browser.client.get("/sign-in/oidc/works")).status_code for _ in range(101)]

    assert statuses == [303] * 100 + [429]


def fresh_digest(key):
    async def digest(*parts):
        return key

    return digest


async def test_two_factor_is_asked_for_unless_the_provider_checks_it(
    openid, person, browser, other_browser, configure, monkeypatch
):
    async def is_enabled(owner_id):
        return True

    monkeypatch.setattr(owner_two_factor, "is_enabled", is_enabled)
    response = await browser.sign_in_there(openid, "?next=/dashboard/account")
    assert response.headers["Location"] == "/sign-in/code?next=/dashboard/account"
    assert browser.secret is None

    configure(checks_two_factor=True)
    assert (await other_browser.sign_in_there(openid)).headers["Location"] == "/dashboard"
    assert other_browser.secret is not None


async def test_suspended_owner_does_not_sign_in(openid, person, browser):
    await browser.sign_in_there(openid)
    await browser.send_form("/sign-out")
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", person.id)

    status, text = await read_refusal(await browser.sign_in_there(openid))

    assert (status, "This account is suspended." in text) == (404, True)


async def test_person_links_and_unlinks(openid, person, browser, other_browser):
    openid.person["email"] = "private@shops.example"
    await browser.sign_in(person.email)
    page = await browser.send_form(f"{ACCOUNT}/works/link", page=ACCOUNT)
    location = page.headers["Refresh"].partition("url=")[2]

    response = await browser.come_back(openid.authorize(location))

    assert response.headers["Location"] == f"{ACCOUNT}?done=linked"
    assert "private@shops.example" in await browser.get_text(ACCOUNT)
    assert (await other_browser.sign_in_there(openid)).headers["Location"] == "/dashboard"
    identity_id = await sql.fetch_value("SELECT id FROM oidc_identity WHERE owner_id = $1", person.id)
    await browser.send_form(f"{ACCOUNT}/{identity_id}/unlink", page=ACCOUNT)
    assert await count_identities(person.id) == 0
    actions = [action for action, _ in await list_entries(person.id)]
    assert {"account/identity_link", "account/identity_unlink"} <= set(actions)


async def test_link_of_another_session_is_refused(openid, person, browser):
    await browser.sign_in(person.email)
    page = await browser.send_form(f"{ACCOUNT}/works/link", page=ACCOUNT)
    answer = openid.authorize(page.headers["Refresh"].partition("url=")[2])
    await browser.send_form("/sign-out")
    await browser.sign_in(person.email, PASSWORD)

    response = await browser.come_back(answer)

    assert response.status_code == 404
    assert await count_identities(person.id) == 0


async def test_identity_of_another_owner_is_neither_linked_nor_unlinked(
    openid, person, browser, other_browser, other_owner
):
    await browser.sign_in_there(openid)
    identity_id = await sql.fetch_value("SELECT id FROM oidc_identity WHERE owner_id = $1", person.id)
    secret, session = await web_sessions.create_session(owner_id=other_owner.id)
    other_browser.client.set_cookie("localhost", "comanda_session", secret)
    form = {"csrf_token": session.csrf_token}

    assert (await other_browser.post(f"{ACCOUNT}/{identity_id}/unlink", form)).status_code == 404
    page = await other_browser.post(f"{ACCOUNT}/works/link", form)
    answer = openid.authorize(page.headers["Refresh"].partition("url=")[2])
    assert (await other_browser.come_back(answer)).status_code == 409
    assert await count_identities(person.id) == 1
