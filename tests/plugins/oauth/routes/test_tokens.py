"""The token endpoint: codes and refresh tokens for tokens."""

import asyncio
from base64 import b64encode

import orjson
import pytest
from comanda.platform.db import sql
from comanda_oauth import api


async def read_error(response):
    document = await response.get_json()
    assert response.headers["Cache-Control"] == "no-store"
    assert document["message"] == document["error_description"]
    return response.status_code, document["error"], document["code"]


async def count_tokens(owner):
    return await sql.fetch_value(
        "SELECT count(*) FROM core_access_token WHERE owner_id = $1 AND kind = 'app' AND revoked_at IS NULL", owner.id
    )


async def test_code_is_exchanged_for_a_token(app_program, status_of, published):
    tokens = await app_program.get_tokens(scope="menu:read mcp:use")

    assert tokens.keys() == {"access_token", "token_type", "scope", "installation_id"}
    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "menu:read mcp:use")
    assert tokens["access_token"].startswith("app_")
    assert await status_of(tokens["access_token"]) == 200
    assert [name for name, _ in await published()][-1] == "app.installed"


async def test_secret_may_come_as_basic_or_json(app_program, client):
    code = await app_program.authorize()
    basic = await app_program.post(
        grant_type="authorization_code", code=code, redirect_uri=app_program.redirect_uri, basic=True
    )
    form = {
        "grant_type": "authorization_code",
        "code": await app_program.authorize(),
        "redirect_uri": app_program.redirect_uri,
        "client_id": app_program.id,
        "client_secret": app_program.issued.secret,
        "expiring": 1,
    }
    by_json = await client.post("/oauth/token", json=form)

    assert (basic.status_code, by_json.status_code) == (200, 200)
    assert (await by_json.get_json())["expires_in"] == 3600


async def test_expiring_token_ends_after_an_hour(app_program, clock, status_of):
    tokens = await app_program.get_tokens(expiring="1", scope="menu:read")

    assert (tokens["expires_in"], tokens["refresh_token"][:3]) == (3600, "rt_")
    assert await status_of(tokens["access_token"]) == 200
    clock.advance(seconds=3601)
    assert await status_of(tokens["access_token"]) == 401


async def test_token_without_expiry_stays_valid(app_program, clock, status_of):
    tokens = await app_program.get_tokens()

    clock.advance(days=3650)
    assert await status_of(tokens["access_token"]) == 200


async def test_public_client_always_gets_an_expiring_token(native_program, status_of):
    tokens = await native_program.get_tokens()

    assert tokens["expires_in"] == 3600
    assert await status_of(tokens["access_token"]) == 200


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({"client_secret": "secret_wrong"}, (401, "invalid_client", "unauthenticated")),
        ({"client_secret": None}, (401, "invalid_client", "unauthenticated")),
        ({"client_id": "0" * 32}, (401, "invalid_client", "unauthenticated")),
        ({"client_id": None}, (401, "invalid_client", "unauthenticated")),
        ({"grant_type": "password"}, (400, "unsupported_grant_type", "bad_request")),
        ({"grant_type": "client_credentials"}, (400, "unsupported_grant_type", "bad_request")),
        ({"grant_type": None}, (400, "invalid_request", "bad_request")),
        ({"code": None}, (400, "invalid_request", "bad_request")),
        ({"code": "wrong"}, (400, "invalid_grant", "bad_request")),
        ({"redirect_uri": "https://app.example.com/other"}, (400, "invalid_grant", "bad_request")),
        ({"redirect_uri": None}, (400, "invalid_grant", "bad_request")),
        ({"resource": "https://elsewhere.example/"}, (400, "invalid_target", "bad_request")),
        ({"scope": "orders:write"}, (400, "invalid_scope", "bad_request")),
        ({"code_verifier": "v" * 43}, (400, "invalid_request", "bad_request")),
    ],
)
async def test_wrong_exchange_is_refused(app_program, owner, form, expected):
    code = await app_program.authorize(scope="menu:read")

    response = await app_program.post(
        **{
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": app_program.redirect_uri,
            **form,
        }
    )

    assert await read_error(response) == expected
    assert await count_tokens(owner) == 0


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"grant_type=refresh_token&grant_type=authorization_code", "application/x-www-form-urlencoded"),
        (b"\xff=1", "application/x-www-form-urlencoded"),
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b'{"code": ["x"]}', "application/json"),
        (b"<x/>", "text/xml"),
    ],
)
async def test_unreadable_request_is_refused(client, body, content_type):
    response = await client.post("/oauth/token", data=body, headers={"Content-Type": content_type})

    assert await read_error(response) == (400, "invalid_request", "bad_request")


@pytest.mark.parametrize("header", ["Basic !!!", "Basic eA==", "Basic /w==", "Basic"])
async def test_unreadable_authorization_is_refused(client, header):
    response = await client.post(
        "/oauth/token", form={"grant_type": "refresh_token"}, headers={"Authorization": header}
    )

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Basic ")


async def test_two_ways_to_authenticate_are_refused(app_program, client):
    response = await client.post(
        "/oauth/token",
        form={"client_id": app_program.id, "client_secret": app_program.issued.secret, "grant_type": "refresh_token"},
        headers={"Authorization": f"Basic {b64encode(f'{app_program.id}:x'.encode()).decode()}"},
    )

    assert await read_error(response) == (400, "invalid_request", "bad_request")


async def test_code_expires_after_two_minutes(app_program, owner, clock):
    code = await app_program.authorize()

    clock.advance(seconds=121)

    assert await read_error(await app_program.exchange(code)) == (400, "invalid_grant", "bad_request")
    assert await count_tokens(owner) == 0


async def test_second_use_of_a_code_revokes_what_the_first_issued(app_program, status_of):
    code = await app_program.authorize(expiring="1")
    tokens = await (await app_program.exchange(code)).get_json()

    again = await app_program.exchange(code)

    assert await read_error(again) == (400, "invalid_grant", "bad_request")
    assert await status_of(tokens["access_token"]) == 401
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 400


async def test_parallel_exchanges_of_one_code_have_one_winner(app_program, owner):
    code = await app_program.authorize()

    responses = await asyncio.gather(*(app_program.exchange(code) for _ in range(8)))

    assert sorted(response.status_code for response in responses) == [200] + [400] * 7
    assert await sql.fetch_value("SELECT count(*) FROM oauth_grant WHERE owner_id = $1", owner.id) == 1


async def test_code_of_another_client_is_refused_and_stays_valid(app_program, create_program, owner):
    """Code injection and swapped codes: a code is worth nothing to any client but its own."""
    thief = await create_program(name="Thief")
    code = await app_program.authorize()

    assert await read_error(await thief.exchange(code)) == (400, "invalid_grant", "bad_request")
    assert await count_tokens(owner) == 0
    assert (await app_program.exchange(code)).status_code == 200


@pytest.mark.parametrize("verifier", [None, "short", "w" * 64])
async def test_injected_code_fails_without_the_verifier(native_program, owner, verifier):
    code = await native_program.authorize()

    response = await native_program.exchange(code, code_verifier=verifier)

    assert response.status_code == 400
    assert await count_tokens(owner) == 0


async def test_code_is_burnt_by_a_wrong_verifier(native_program, owner):
    code = await native_program.authorize()
    await native_program.exchange(code, code_verifier="w" * 64)

    assert await read_error(await native_program.exchange(code)) == (400, "invalid_grant", "bad_request")
    assert await count_tokens(owner) == 0


async def test_verifier_without_a_challenge_is_a_downgrade(app_program, owner):
    code = await app_program.authorize()

    response = await app_program.exchange(code, code_verifier="v" * 43)

    assert (await read_error(response))[1] == "invalid_request"
    assert await count_tokens(owner) == 0


async def test_old_secret_works_for_a_day_after_rotation(app_program, developer, clock):
    await api.rotate_secret(developer.id, app_program.issued.client.id)

    assert (await app_program.exchange(await app_program.authorize())).status_code == 200
    clock.advance(hours=25)
    await app_program.browser.sign_in()
    assert (await app_program.exchange(await app_program.authorize())).status_code == 401


async def test_suspended_client_gets_no_tokens(app_program, developer, owner, status_of):
    tokens = await app_program.get_tokens(expiring="1")
    code = await app_program.authorize()
    await api.update_client(developer.id, app_program.issued.client.id, api.ClientChanges(is_enabled=False))

    assert await read_error(await app_program.exchange(code)) == (400, "unauthorized_client", "bad_request")
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 400
    assert await status_of(tokens["access_token"]) == 403
    assert await count_tokens(owner) == 1
    await api.update_client(developer.id, app_program.issued.client.id, api.ClientChanges(is_enabled=True))
    assert await status_of(tokens["access_token"]) == 200


async def test_kinds_of_tokens_are_not_interchangeable(app_program, owner, status_of):
    tokens = await app_program.get_tokens(expiring="1")
    code = await app_program.authorize()

    for secret in (tokens["refresh_token"], code, app_program.issued.secret, app_program.id):
        assert await status_of(secret) == 401
    for wrong in (tokens["access_token"], owner.token, code):
        assert (await app_program.refresh(wrong)).status_code == 400
    for wrong in (tokens["access_token"], tokens["refresh_token"]):
        assert (await app_program.exchange(wrong)).status_code == 400


async def test_uninstalling_ends_all_tokens_at_once(app_program, owner, status_of, published):
    tokens = await app_program.get_tokens(expiring="1")
    code = await app_program.authorize()

    await api.uninstall(owner.id, tokens["installation_id"], "owner:1")

    assert await status_of(tokens["access_token"]) == 401
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 400
    assert (await app_program.exchange(code)).status_code == 400
    name, data = (await published())[-1]
    assert (name, data["installation_id"], data["client_id"]) == (
        "app.uninstalled",
        tokens["installation_id"],
        app_program.id,
    )


async def test_uninstalling_keeps_everything_if_its_transaction_fails(app_program, owner, status_of):
    tokens = await app_program.get_tokens()

    async def fail():
        async with sql.transaction():
            await api.uninstall(owner.id, tokens["installation_id"], "owner:1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await status_of(tokens["access_token"]) == 200


async def test_deleted_client_has_no_valid_tokens(app_program, developer, status_of, published):
    tokens = await app_program.get_tokens()

    await api.delete_client(developer.id, app_program.issued.client.id)

    assert await status_of(tokens["access_token"]) == 401
    assert (await published())[-1][0] == "app.uninstalled"
    assert (await app_program.browser.open(**app_program.request())).status_code == 400


async def test_limit_of_the_endpoint_is_its_own(client, monkeypatch, app_program):
    monkeypatch.setattr("comanda_oauth.routes.protocol.settings.get_settings", lambda: Limits)
    headers = {"X-Forwarded-For": "192.0.2.77"}

    statuses = [(await client.post("/oauth/token", form={}, headers=headers)).status_code for _ in range(4)]

    assert statuses == [400, 400, 400, 429]
    last = orjson.loads(await (await client.post("/oauth/token", form={}, headers=headers)).get_data())
    assert (last["error"], last["code"]) == ("temporarily_unavailable", "rate_limited")


class Limits:
    requests_per_minute = 3
    registration = False
    metadata_documents = False
