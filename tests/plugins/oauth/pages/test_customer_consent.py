"""Customers of a store who let an assistant act for them, and attacks on that."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from comanda.accounts import administration
from comanda.platform.db import sql
from comanda_oauth import api

CHANGES = {"name": "Ada King"}


def read_answer(response):
    assert response.status_code == 303, response
    return dict(parse_qsl(urlsplit(response.headers["Location"]).query))


async def count_rows(owner):
    statement = "SELECT count(*) FROM oauth_installation WHERE owner_id = $1"
    return await sql.fetch_value(statement, owner.id)


async def test_page_says_in_words_who_asks_for_what(assistant, guest, wish):
    response = await guest.open(**assistant.request(**wish))

    text = await response.get_data(as_text=True)
    title = await sql.fetch_value("SELECT title FROM core_store WHERE id = $1", guest.store.id)
    for shown in (
        "Assistant",
        "127.0.0.1",
        title,
        "Ada",
        "cancel orders for you",
        "See your profile",
        "Nobody has reviewed",
    ):
        assert shown in text
    assert "In which stores?" not in text
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    assert "form-action 'self' http://127.0.0.1:51004" in response.headers["Content-Security-Policy"]
    assert (response.headers["X-Frame-Options"], response.headers["Cache-Control"]) == ("DENY", "no-store")
    assert await count_rows(guest.owner) == 0


async def test_token_acts_as_the_customer_at_the_server(assistant, guest, wish, call_tool):
    tokens = await assistant.get_tokens(**wish)

    assert (tokens["scope"], tokens["expires_in"]) == ("orders profile", 3600)
    answer = await (await call_tool(tokens["access_token"], "my_profile")).get_json()
    assert answer["result"]["structuredContent"]["id"] == guest.customer_id
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200


async def test_tool_beyond_the_scopes_names_what_is_needed(assistant, wish, call_tool):
    tokens = await assistant.get_tokens(**wish | {"scope": "orders"})

    refused = await call_tool(tokens["access_token"], "my_profile")

    assert refused.status_code == 403
    challenge = refused.headers["WWW-Authenticate"]
    assert 'error="insufficient_scope", scope="orders profile"' in challenge
    assert "/.well-known/oauth-protected-resource/mcp/customer" in challenge
    assert (await refused.get_json())["error"]["data"] == {"code": "forbidden", "required": "profile"}


async def test_server_tells_where_it_is_described_with_the_store(client, guest):
    response = await client.post(
        f"/mcp/customer?store={guest.slug}", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}
    )

    site, place = "http://comanda.test", f"/.well-known/oauth-protected-resource/mcp/customer?store={guest.slug}"
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == f'Bearer realm="{site}", resource_metadata="{site}{place}"'
    metadata = await (await client.get(place)).get_json()
    assert metadata["resource"] == f"{site}/mcp/customer?store={guest.slug}"
    assert metadata["scopes_supported"] == ["orders", "profile"]


@pytest.mark.parametrize("query", ['store=a"b', "store=a%22,x", "store=a&b=c", "x=1"])
async def test_address_cannot_forge_the_challenge(client, query):
    response = await client.post(f"/mcp/customer?{query}", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})

    assert response.headers["WWW-Authenticate"].count('"') == 4


@pytest.mark.parametrize("scope", ["orders", "profile", "orders profile"])
async def test_rest_takes_the_token_within_its_scopes(assistant, status_of, scope):
    token = (await assistant.get_tokens(scope=scope))["access_token"]

    assert await status_of(token, "/api/v1/customer/orders") == (200 if "orders" in scope else 403)
    assert await status_of(token, "/api/v1/customer/me") == (200 if "profile" in scope else 403)
    assert await status_of(token, "/api/v1/customer/addresses") == (200 if "profile" in scope else 403)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/api/v1/customer/me", {}),
        ("GET", "/api/v1/customer/me/export", None),
        ("POST", "/api/v1/customer/logout", {}),
        ("GET", "/api/v1/customer/gift-cards", None),
        ("GET", "/api/v1/customer/store-credit", None),
        ("PUT", "/api/v1/customer/me", {"phone": "+351912345678"}),
        ("PUT", "/api/v1/customer/me", {"email": "thief@example.com", "code": "123456"}),
        ("PUT", "/api/v1/customer/me", {"consents": {"marketing_email": True}}),
    ],
)
async def test_rest_keeps_what_is_only_the_customers(assistant, client, method, path, body):
    token = (await assistant.get_tokens(scope="orders profile"))["access_token"]

    response = await client.open(path, method=method, json=body, headers={"Authorization": f"Bearer {token}"})

    assert response.status_code == 403
    assert (await response.get_json())["reason"] == "not_delegable"


async def test_assistant_changes_the_name(assistant, status_of):
    token = (await assistant.get_tokens(scope="profile"))["access_token"]

    assert await status_of(token, "/api/v1/customer/me", "PUT", json=CHANGES) == 200


async def test_token_for_the_server_is_none_elsewhere(assistant, wish, status_of):
    token = (await assistant.get_tokens(**wish))["access_token"]

    for path in ("/api/v1/customer/me", "/api/v1/me"):
        assert await status_of(token, path) == 401
    assert await status_of(token) == 401
    assert await status_of(token, "/mcp", "POST", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}) == 401


async def test_owners_token_is_none_of_a_customer(app_program, client, browser, call_tool, status_of):
    tokens = await app_program.get_tokens(scope="orders:read mcp:use")

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401
    assert await status_of(tokens["access_token"], "/api/v1/customer/orders") == 401


@pytest.mark.parametrize(
    "changes",
    [
        {"scope": "orders:write"},
        {"scope": "orders menu:write"},
        {"scope": "menu:read", "resource": "http://comanda.test/mcp/customer"},
        {"scope": "*"},
    ],
)
async def test_customer_is_never_asked_for_scopes_of_owners(assistant, guest, wish, changes):
    answer = read_answer(await guest.open(**assistant.request(**wish | changes)))

    assert answer["error"] == "invalid_scope"
    assert await count_rows(guest.owner) == 0


@pytest.mark.parametrize("resource", ["http://comanda.test/mcp", None])
@pytest.mark.parametrize("scope", ["orders menu:read", "profile orders:read"])
async def test_owner_is_never_asked_for_scopes_of_customers(assistant, browser, owner, resource, scope):
    answer = read_answer(await browser.open(**assistant.request(scope=scope, resource=resource)))

    assert answer["error"] == "invalid_scope"
    assert await count_rows(owner) == 0


async def test_owners_session_consents_to_nothing_as_a_customer(assistant, browser, wish, owner):
    wanted = assistant.request(**wish)

    shown, decided = await browser.open(**wanted), await browser.decide(**wanted)

    assert "Phone number" in await shown.get_data(as_text=True)
    assert decided.status_code == 403
    assert await count_rows(owner) == 0


async def test_customers_session_consents_to_nothing_as_an_owner(app_program, guest):
    response = await guest.decide(**app_program.request(scope="menu:read"))

    assert response.headers["Location"].startswith("/sign-in")
    assert await count_rows(guest.owner) == 0


async def test_app_of_a_developer_asks_no_customer(app_program, guest, wish, developer):
    assert read_answer(await guest.open(**app_program.request(**wish)))["error"] == "invalid_request"
    with pytest.raises(Exception, match="orders"):
        await api.update_client(developer.id, app_program.issued.client.id, api.ClientChanges(scopes=("orders",)))


@pytest.mark.parametrize("changes", [{"code_challenge": None}, {"code_challenge_method": "plain"}])
async def test_challenge_must_be_s256(assistant, guest, wish, changes):
    wanted = {**assistant.request(**wish), **changes}

    answer = read_answer(await guest.decide(**{name: value for name, value in wanted.items() if value is not None}))

    assert answer["error"] == "invalid_request"
    assert await count_rows(guest.owner) == 0


async def test_customer_of_another_store_signs_in_there_first(assistant, guest, owner, other_owner):
    for other in (await owner.store(), await other_owner.store()):
        slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", other)
        wanted = assistant.request(scope="orders", store=slug)
        cookie = guest.headers["Cookie"]
        # The secret of one store in the cookie of another.
        guest.headers = {"Cookie": f"{cookie}; {cookie.replace(f'_{guest.store.id}=', f'_{other}=')}"}

        shown, decided = await guest.open(**wanted), await guest.decide(**wanted)

        assert "Phone number" in await shown.get_data(as_text=True)
        assert decided.status_code == 403
        assert await count_rows(owner) == await count_rows(other_owner) == 0


async def test_only_store_needs_no_name(assistant, guest, monkeypatch):
    found = f"SELECT slug FROM core_store_v1 s WHERE s.id = {guest.store.id}"
    monkeypatch.setattr("comanda_oauth.services.installations.consent.SELECT_SLUGS", found)

    text = await (await guest.open(**assistant.request(scope="orders", store=None))).get_data(as_text=True)

    assert "cancel orders for you" in text


@pytest.mark.parametrize("given", ["nowhere", "https://evil.example/", "[", "%00"])
async def test_unknown_store_is_asked_for(assistant, guest, given):
    wanted = assistant.request(scope="orders", store=given)

    response = await guest.open(**wanted)

    text = await response.get_data(as_text=True)
    assert response.status_code == 200
    assert "There is no such store." in text
    assert f'name="state" value="{wanted["state"]}"' in text


async def test_store_may_be_given_as_the_address_of_its_page(assistant, guest):
    wanted = assistant.request(scope="orders", store=f"https://eat.example/s/{guest.slug}/")

    assert "cancel orders for you" in await (await guest.open(**wanted)).get_data(as_text=True)


async def test_old_session_signs_in_again(assistant, guest, wish, clock):
    wanted = assistant.request(**wish)
    clock.advance(minutes=11)

    shown, decided = await guest.open(**wanted), await guest.decide(**wanted)

    assert "Phone number" in await shown.get_data(as_text=True)
    assert decided.status_code == 403
    assert await count_rows(guest.owner) == 0


@pytest.mark.parametrize("csrf", [" ", "0" * 64])
async def test_forged_consent_is_refused(assistant, guest, wish, csrf):
    assert (await guest.decide(csrf=csrf, **assistant.request(**wish))).status_code == 403
    assert await count_rows(guest.owner) == 0


async def test_refusal_reaches_the_assistant(assistant, guest, wish):
    answer = read_answer(await guest.decide("deny", **assistant.request(**wish)))

    assert (answer["error"], answer["iss"]) == ("access_denied", "http://comanda.test")
    assert await count_rows(guest.owner) == 0


async def test_code_is_used_once_by_its_client_at_its_address(assistant, wish, guest, call_tool, native_program):
    code = await assistant.authorize(**wish)
    for form in ({"client_id": native_program.id}, {"redirect_uri": "http://127.0.0.1:51004/other"}):
        other = await assistant.authorize(**wish)
        verifier = assistant.verifier
        assert (await assistant.exchange(other, code_verifier=verifier, **form)).status_code in {400, 401}
    assert (await assistant.exchange(code, code_verifier="w" * 64)).status_code == 400

    fresh = await assistant.authorize(**wish)
    tokens = await (await assistant.exchange(fresh)).get_json()
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200
    assert (await assistant.exchange(fresh)).status_code == 400
    # The second use ended what the first one issued.
    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401


async def test_refresh_rotates_and_reuse_ends_the_grant(assistant, wish, call_tool):
    first = await assistant.get_tokens(**wish)
    second = await (await assistant.refresh(first["refresh_token"])).get_json()
    third = await (await assistant.refresh(second["refresh_token"])).get_json()
    assert (await call_tool(third["access_token"], "my_orders")).status_code == 200

    assert (await assistant.refresh(first["refresh_token"])).status_code == 400

    assert (await call_tool(third["access_token"], "my_orders")).status_code == 401
    assert (await assistant.refresh(third["refresh_token"])).status_code == 400


async def test_suspended_owner_stops_everything(assistant, wish, guest, call_tool):
    tokens = await assistant.get_tokens(**wish)
    code = await assistant.authorize(**wish)
    await administration.suspend_owner(guest.owner.id, "unpaid")

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 403
    assert (await assistant.refresh(tokens["refresh_token"])).status_code == 400
    assert (await assistant.exchange(code)).status_code == 400
    assert "There is no such store." in await (await guest.open(**assistant.request(**wish))).get_data(as_text=True)


async def test_narrower_consent_ends_wider_tokens(assistant, wish, call_tool):
    wide = await assistant.get_tokens(**wish)
    narrow = await assistant.get_tokens(**wish | {"scope": "orders"})

    assert (await call_tool(wide["access_token"], "my_orders")).status_code == 401
    assert (await call_tool(narrow["access_token"], "my_orders")).status_code == 200
    again = await assistant.get_tokens(**wish)
    assert (await call_tool(narrow["access_token"], "my_orders")).status_code == 200
    assert again["installation_id"] == narrow["installation_id"]
