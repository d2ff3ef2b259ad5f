"""Revocation and introspection: a client sees and ends its own tokens, and nobody else's."""

import pytest
from comanda_oauth import api


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
async def test_revoking_either_token_ends_both(app_program, status_of, which):
    tokens = await app_program.get_tokens(expiring="1")

    response = await app_program.post("/oauth/revoke", token=tokens[which])

    assert (response.status_code, await response.get_json()) == (200, {})
    assert await status_of(tokens["access_token"]) == 401
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 400


async def test_another_clients_token_is_not_revoked(app_program, create_program, status_of):
    stranger = await create_program(name="Stranger")
    tokens = await app_program.get_tokens(expiring="1")

    for token in (tokens["access_token"], tokens["refresh_token"], "app_unknown", "x"):
        assert (await stranger.post("/oauth/revoke", token=token)).status_code == 200

    assert await status_of(tokens["access_token"]) == 200


async def test_owner_token_is_not_revoked(app_program, owner, client):
    assert (await app_program.post("/oauth/revoke", token=owner.token)).status_code == 200

    assert (await client.get("/api/v1/me", headers=owner.auth)).status_code == 200


async def test_public_client_revokes_without_a_secret(native_program, status_of):
    tokens = await native_program.get_tokens()

    assert (await native_program.post("/oauth/revoke", token=tokens["access_token"])).status_code == 200
    assert await status_of(tokens["access_token"]) == 401


async def test_revoking_needs_the_clients_secret(app_program, status_of):
    tokens = await app_program.get_tokens()

    response = await app_program.post("/oauth/revoke", token=tokens["access_token"], client_secret="secret_wrong")

    assert response.status_code == 401
    assert (await app_program.post("/oauth/revoke")).status_code == 400
    assert await status_of(tokens["access_token"]) == 200


async def test_client_sees_its_own_tokens(app_program, owner, runtime):
    tokens = await app_program.get_tokens(expiring="1", scope="menu:read", resource="http://comanda.test/api/v1")

    shown = await (await app_program.post("/oauth/introspect", token=tokens["access_token"])).get_json()

    assert shown.pop("exp") - shown.pop("iat") == 3600
    assert shown == {
        "active": True,
        "client_id": app_program.id,
        "scope": "menu:read",
        "sub": str(owner.id),
        "installation_id": tokens["installation_id"],
        "iss": runtime.settings.site_url,
        "aud": "http://comanda.test/api/v1",
        "token_type": "Bearer",
    }
    refresh = await (await app_program.post("/oauth/introspect", token=tokens["refresh_token"])).get_json()
    assert (refresh["active"], "token_type" in refresh) == (True, False)


async def test_tokens_of_others_are_inactive(app_program, create_program, owner, clock):
    stranger = await create_program(name="Stranger")
    tokens = await app_program.get_tokens(expiring="1")

    for program, token in [
        (stranger, tokens["access_token"]),
        (stranger, tokens["refresh_token"]),
        (app_program, owner.token),
        (app_program, "app_unknown"),
    ]:
        assert await (await program.post("/oauth/introspect", token=token)).get_json() == {"active": False}
    clock.advance(hours=2)
    answer = await app_program.post("/oauth/introspect", token=tokens["access_token"])
    assert await answer.get_json() == {"active": False}


async def test_uninstalled_app_sees_inactive_tokens(app_program, owner):
    tokens = await app_program.get_tokens(expiring="1")
    await api.uninstall(owner.id, tokens["installation_id"], "owner:1")

    for token in (tokens["access_token"], tokens["refresh_token"]):
        answer = await app_program.post("/oauth/introspect", token=token)
        assert await answer.get_json() == {"active": False}


async def test_public_client_cannot_introspect(native_program):
    tokens = await native_program.get_tokens()

    assert (await native_program.post("/oauth/introspect", token=tokens["access_token"])).status_code == 401
