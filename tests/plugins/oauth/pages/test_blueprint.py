"""The consent page and its attacks: forged requests, redirect tricks, frames, mix-up."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from comanda.platform.db import sql
from comanda_oauth import api

REDIRECT = "https://app.example.com/callback"


def read_answer(response):
    assert response.status_code == 303, response
    return dict(parse_qsl(urlsplit(response.headers["Location"]).query))


async def count_rows(owner):
    return [
        await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)
        for table in ("oauth_installation", "oauth_code")
    ]


async def test_page_says_who_asks_for_what(app_program, browser, owner, store_id):
    response = await browser.open(**app_program.request(scope="menu:read orders:read"))

    text = await response.get_data(as_text=True)
    for shown in ("Loyalty Cards", "Example Ltd", owner.email, "Read menus, categories and items", "app.example.com"):
        assert shown in text
    assert "Read orders and their status" in text
    assert "Create and update menu items" not in text
    assert f'value="{store_id}"' in text
    assert response.headers["Cache-Control"] == "no-store"


async def test_page_cannot_be_framed(app_program, browser):
    response = await browser.open(**app_program.request())

    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    assert "form-action 'self' https://app.example.com" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "no-referrer"


async def test_opening_the_page_changes_nothing(app_program, browser, owner):
    await browser.open(**app_program.request())

    assert await count_rows(owner) == [0, 0]


async def test_visitor_signs_in_first_and_comes_back(app_program, client):
    wanted = app_program.request(scope="menu:read")
    response = await client.get("/oauth/authorize", query_string=wanted)

    location = urlsplit(response.headers["Location"])
    assert (response.status_code, location.path) == (303, "/sign-in")
    back = urlsplit(dict(parse_qsl(location.query))["next"])
    assert (back.path, dict(parse_qsl(back.query))) == ("/oauth/authorize", wanted)


async def test_consent_needs_a_recent_sign_in(app_program, browser, owner, clock):
    wanted = app_program.request(scope="menu:read")
    clock.advance(minutes=11)

    shown, decided = await browser.open(**wanted), await browser.decide(**wanted)

    location = urlsplit(shown.headers["Location"])
    assert (shown.status_code, location.path) == (303, "/sign-in/confirm")
    back = urlsplit(dict(parse_qsl(location.query))["next"])
    assert (back.path, dict(parse_qsl(back.query))) == ("/oauth/authorize", wanted)
    assert decided.status_code == 403
    assert "/sign-in/confirm" in await decided.get_data(as_text=True)
    assert await count_rows(owner) == [0, 0]


async def test_answer_carries_code_state_and_issuer(app_program, browser):
    response = await browser.decide(**app_program.request(state="a b&c=d/é"))

    answer = read_answer(response)
    assert answer.keys() == {"code", "state", "iss"}
    assert (answer["state"], answer["iss"]) == ("a b&c=d/é", "http://comanda.test")
    assert response.headers["Location"].startswith(f"{REDIRECT}?")


async def test_answer_keeps_the_query_of_the_redirect_address(create_program, browser):
    program = await create_program(redirect_uris=(f"{REDIRECT}?tenant=7",))
    program.redirect_uri = f"{REDIRECT}?tenant=7"

    answer = read_answer(await browser.decide(**program.request()))

    assert answer["tenant"] == "7"
    assert (await program.exchange(answer["code"])).status_code == 200


async def test_refusal_of_the_owner_reaches_the_app(app_program, browser, owner):
    answer = read_answer(await browser.decide("deny", **app_program.request()))

    assert (answer["error"], answer["state"], answer["iss"]) == ("access_denied", "xyz", "http://comanda.test")
    assert await count_rows(owner) == [0, 0]


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": None},
        {"client_id": "unknown"},
        {"client_id": "a\0b"},
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": f"{REDIRECT}/"},
        {"redirect_uri": f"{REDIRECT}?x=1"},
        {"redirect_uri": "https://app.example.com.evil.example/callback"},
        {"redirect_uri": "https://app.example.com@evil.example/callback"},
        {"redirect_uri": "https://app.example.com/callback/../x"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": 'https://"><script>'},
    ],
)
async def test_untrusted_request_is_a_page_and_never_a_redirect(app_program, browser, owner, changes):
    wanted = app_program.request(**changes)
    for response in (await browser.open(**wanted), await browser.decide(**wanted)):
        assert response.status_code == 400
        assert "Location" not in response.headers
        assert "<script>" not in await response.get_data(as_text=True)
    assert await count_rows(owner) == [0, 0]


@pytest.mark.parametrize("name", ["client_id", "redirect_uri"])
async def test_repeated_parameter_is_never_a_redirect(app_program, browser, name):
    wanted = list(app_program.request().items())
    wanted.append((name, "https://evil.example/"))
    response = await browser.client.get("/oauth/authorize", query_string=wanted, headers=browser.headers)

    assert (response.status_code, "Location" in response.headers) == (400, False)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"scope": "analytics:read"}, "invalid_scope"),
        ({"scope": "*"}, "invalid_scope"),
        ({"scope": "menu:read drivers:write"}, "invalid_scope"),
        ({"code_challenge": "c" * 43}, "invalid_request"),
        ({"code_challenge": "c" * 43, "code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short", "code_challenge_method": "S256"}, "invalid_request"),
        ({"code_challenge_method": "S256"}, "invalid_request"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"resource": "http://comanda.test.evil.example"}, "invalid_target"),
    ],
)
async def test_wrong_request_of_a_known_client_is_answered_to_it(app_program, browser, owner, changes, error):
    wanted = app_program.request(**changes)

    for response in (await browser.open(**wanted), await browser.decide(**wanted)):
        answer = read_answer(response)
        assert (answer["error"], answer["state"], answer["iss"]) == (error, "xyz", "http://comanda.test")
        assert response.headers["Location"].startswith(f"{REDIRECT}?")
    assert await count_rows(owner) == [0, 0]


@pytest.mark.parametrize("given", [None, "token", "code token"])
async def test_a_wrong_response_type_is_named_in_a_sentence(app_program, browser, given):
    answer = read_answer(await browser.open(**app_program.request(response_type=given)))

    assert answer["error_description"] == "The response_type must be code."


async def test_all_scopes_are_those_that_the_client_has_registered(app_program, client):
    metadata = await (await client.get("/.well-known/oauth-protected-resource/mcp")).get_json()

    tokens = await app_program.get_tokens(scope=" ".join(metadata["scopes_supported"]))

    assert tokens["scope"] == "menu:read menu:write orders:read mcp:use"


@pytest.mark.parametrize("method", [None, "plain"])
async def test_public_client_must_send_a_challenge(native_program, browser, method):
    wanted = native_program.request(code_challenge=None, code_challenge_method=method)

    assert read_answer(await browser.open(**wanted))["error"] == "invalid_request"


async def test_redirect_may_be_left_out_if_there_is_one(app_program, browser, owner):
    answer = read_answer(await browser.decide(**app_program.request(redirect_uri=None)))

    assert (await app_program.exchange(answer["code"], redirect_uri=None)).status_code == 200


@pytest.mark.parametrize("csrf", ["", "0" * 64, "wrong"])
async def test_forged_consent_is_refused(app_program, browser, owner, csrf):
    response = await browser.decide(csrf=csrf or " ", **app_program.request())

    assert response.status_code == 403
    assert await count_rows(owner) == [0, 0]


async def test_token_of_another_session_does_not_consent(app_program, browser, owner, other_owner, client):
    form_token = browser.session.csrf_token
    await browser.sign_in()

    assert (await browser.decide(csrf=form_token, **app_program.request())).status_code == 403
    assert await count_rows(owner) == [0, 0]


async def test_consent_from_another_site_is_refused(app_program, browser, owner):
    browser.headers["Sec-Fetch-Site"] = "cross-site"

    assert (await browser.decide(**app_program.request())).status_code == 403
    assert await count_rows(owner) == [0, 0]


async def test_consent_without_a_session_is_refused(app_program, client, browser):
    browser.headers = {}

    assert urlsplit((await browser.decide(**app_program.request())).headers["Location"]).path == "/sign-in"


async def test_suspended_app_says_so(app_program, browser, developer, owner):
    await api.update_client(developer.id, app_program.issued.client.id, api.ClientChanges(is_enabled=False))

    for response in (await browser.open(**app_program.request()), await browser.decide(**app_program.request())):
        assert response.status_code == 403
        assert "not available" in await response.get_data(as_text=True)
    assert await count_rows(owner) == [0, 0]


async def test_session_cannot_grant_more_than_it_holds(app_program, browser, owner):
    await browser.sign_in()
    await sql.execute("UPDATE core_web_session SET scopes = '{menu:read}' WHERE id = $1", browser.session.id)

    assert (await browser.decide(**app_program.request(scope="menu:write"))).status_code == 403
    assert await count_rows(owner) == [0, 0]
    assert (await browser.decide(**app_program.request(scope="menu:read"))).status_code == 303


@pytest.mark.parametrize("store", ["", "x", "-1", "9" * 30, "٣"])
async def test_unreadable_store_is_refused(app_program, browser, owner, store):
    assert (await browser.decide(store=store or " ", **app_program.request())).status_code == 422
    assert await count_rows(owner) == [0, 0]


async def test_store_of_another_owner_is_refused(app_program, browser, owner, other_owner):
    foreign = await other_owner.store()

    assert (await browser.decide(store=foreign, **app_program.request())).status_code == 404
    assert await count_rows(owner) == [0, 0]


async def test_second_consent_replaces_the_grant(app_program, owner, status_of, published):
    first = await app_program.get_tokens(scope="menu:write orders:read")
    second = await app_program.get_tokens(scope="menu:read")

    assert first["installation_id"] == second["installation_id"]
    names = [name for name, _ in await published()]
    assert names.count("app.installed") == names.count("app.scopes_changed") == 1
    data = (await published())[-1][1]
    assert (data["scopes"], data["previous_scopes"]) == (["menu:read"], ["menu:write", "orders:read"])
    # The first token lost what the owner took away.
    assert await status_of(first["access_token"]) == 200
    body = {"name": "New"}
    path = re.sub(r"menu$", "menu/categories", f"/api/v1/restaurants/{await owner.store()}/menu")
    assert await status_of(first["access_token"], path, "POST", json=body) == 403


async def test_wider_scopes_of_the_client_change_no_installation(app_program, developer, owner, status_of, store_id):
    tokens = await app_program.get_tokens(scope="menu:read")
    await api.update_client(
        developer.id, app_program.issued.client.id, api.ClientChanges(scopes=("menu:read", "analytics:read"))
    )

    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{store_id}/analytics") == 403
    wider = await app_program.get_tokens(scope="menu:read analytics:read")
    assert await status_of(wider["access_token"], f"/api/v1/restaurants/{store_id}/analytics") == 200
    assert await status_of(tokens["access_token"], f"/api/v1/restaurants/{store_id}/analytics") == 403


async def test_unregistered_app_is_announced_as_such(create_program, browser):
    program = await create_program()
    await sql.execute(
        "UPDATE oauth_client SET origin = 'registration', owner_id = 0, secret = '' WHERE client_id = $1", program.id
    )

    text = await (await browser.open(**program.request())).get_data(as_text=True)

    assert "Nobody has reviewed this app" in text


@pytest.mark.parametrize("host", ["x;frame-ancestors *;", "x, default-src *", "x frame-ancestors", "*", "x:y@z"])
async def test_logo_changes_no_policy(create_program, browser, host):
    program = await create_program()
    # As a row has it that was stored before addresses were checked as they are now.
    await sql.execute(
        "UPDATE oauth_client SET logo_url = $2 WHERE id = $1", program.issued.client.id, f"https://{host}/logo.png"
    )

    response = await browser.open(**program.request())

    policy = response.headers["Content-Security-Policy"]
    assert [part for part in policy.split(";") if "frame-ancestors" in part] == [" frame-ancestors 'none'"]
    assert "img-src 'self' data:;" in policy
    assert "," not in policy
