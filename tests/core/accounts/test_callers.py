"""Lookup of the caller behind a token."""

from datetime import timedelta

import pytest
from comanda.accounts import callers, services
from comanda.contracts.requests.callers import CallerKind
from comanda.platform.db import sql


async def status(client, auth, path="/api/v1/me"):
    return (await client.get(path, headers=auth)).status_code


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "bearer nonsense",
        "Basic {token}",
        "{token}",
        "Token {token}",
        "Bearer {token} x",
        "Bearer {token}x",
        "Bearer  own_",
    ],
)
async def test_a_header_that_carries_no_token_of_ours(client, owner, header):
    response = await client.get("/api/v1/me", headers={"Authorization": header.format(token=owner.token)})

    assert response.status_code == 401
    assert (await response.get_json())["code"] == "unauthenticated"
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["bearer {token}", "BEARER {token}", "Bearer  {token} "])
async def test_the_scheme_is_read_generously(client, owner, header):
    assert await status(client, {"Authorization": header.format(token=owner.token)}) == 200


async def test_a_token_in_the_query_adds_a_warning(client, owner):
    response = await client.get(f"/api/v1/me?api_token={owner.token}")

    assert response.status_code == 200
    assert response.headers["Warning"].startswith("299 ")
    assert owner.token not in str(response.headers)


async def test_the_header_wins_over_the_query(client, owner, other_owner):
    response = await client.get(f"/api/v1/me?api_token={other_owner.token}", headers=owner.auth)

    assert (await response.get_json())["id"] == owner.id
    assert "Warning" not in response.headers
    assert await status(client, bearer("own_wrong"), f"/api/v1/me?api_token={owner.token}") == 401


async def test_suspended_owner_gets_403_and_public_routes_404(client, owner, store_id):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    for path in ("/me", "/restaurants", "/restaurants/0"):
        response = await client.get(f"/api/v1{path}", headers=owner.auth)
        body = await response.get_json()
        assert (response.status_code, body["code"], body["reason"]) == (403, "forbidden", "account_suspended")
    assert await status(client, {}, f"/api/v1/menu/{store_id}") == 404

    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)
    assert await status(client, owner.auth) == 200


async def test_last_use_is_recorded_once_an_hour(client, owner, clock):
    async def last_use():
        return await sql.fetch_value("SELECT last_used_at FROM core_access_token WHERE id = $1", owner.token_id)

    assert await last_use() is None
    await status(client, owner.auth)
    first = await last_use()
    clock.advance(minutes=59)
    await status(client, owner.auth)
    still = await last_use()
    clock.advance(minutes=2)
    await status(client, owner.auth)

    assert first == still == clock() - timedelta(minutes=61)
    assert await last_use() == clock()


async def test_use_extends_a_sliding_token(client, owner, clock):
    kind = CallerKind("sliding", "sl_", lifetime=timedelta(days=2), is_sliding=True)
    issued = await services.issue_token(kind, owner.id, ["*"], name="x")

    for _ in range(3):
        clock.advance(days=1, hours=23)
        caller = await callers.find_caller(issued.secret, kind)
        assert caller.expires_at == clock() + timedelta(days=2)
    clock.advance(days=2)

    assert await callers.find_caller(issued.secret, kind) is None


SHIFTS = CallerKind("shifts", "sh_", lifetime=timedelta(days=30), is_sliding=True)


@pytest.mark.parametrize("hours", [16, 16 * 60])
async def test_sliding_token_can_have_a_fixed_end(owner, clock, hours):
    issued = await services.issue_token(
        SHIFTS, owner.id, [], name="x", lifetime=timedelta(hours=hours), is_sliding=False
    )
    assert issued.expires_at == clock() + timedelta(hours=hours)

    clock.advance(hours=hours - 1)
    assert (await callers.find_caller(issued.secret, SHIFTS)).expires_at == issued.expires_at
    clock.advance(hours=1)

    assert await callers.find_caller(issued.secret, SHIFTS) is None


async def test_sliding_token_can_last_for_ever(owner, clock):
    issued = await services.issue_token(SHIFTS, owner.id, [], name="x", lifetime=None)
    assert issued.expires_at is None

    for _ in range(2):
        clock.advance(days=400)
        assert (await callers.find_caller(issued.secret, SHIFTS)).expires_at is None


async def test_use_does_not_extend_tokens_of_other_kinds(owner, clock):
    kind = CallerKind("brief", "br_", lifetime=timedelta(hours=1))
    issued = await services.issue_token(kind, owner.id, [], name="x", is_sliding=True)

    clock.advance(minutes=59)
    await callers.find_caller(issued.secret, kind)
    clock.advance(minutes=1)

    assert await callers.find_caller(issued.secret, kind) is None
