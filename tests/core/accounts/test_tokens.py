"""Tokens: their form, their storage, their end."""

import hashlib
import re
from datetime import timedelta

import pytest
from comanda.accounts import callers, services, tokens
from comanda.contracts.callers import CallerKind
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

OWNER = CallerKind("owner", "own_")


async def status(client, auth, path="/api/v1/me"):
    return (await client.get(path, headers=auth)).status_code


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def test_a_token_has_a_prefix_forty_characters_and_a_checksum():
    made = {tokens.generate_token("own_") for _ in range(200)}

    assert len(made) == 200
    assert all(re.fullmatch(r"own_[0-9A-Za-z]{46}", token) for token in made)
    assert all(tokens.is_well_formed(token, "own_") for token in made)


def test_a_typing_error_is_found_without_a_database():
    token = tokens.generate_token("own_")
    for place in range(len("own_"), len(token)):
        other = "a" if token[place] != "a" else "b"
        assert not tokens.is_well_formed(token[:place] + other + token[place + 1 :], "own_")


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "a", str.lower, lambda t: "drv_" + t[4:], lambda t: ""]
)
def test_other_forms_are_none_of_ours(change):
    assert not tokens.is_well_formed(change("own_ABC" + tokens.generate_token("own_")[7:]), "own_")


async def test_only_a_hash_is_stored(owner):
    row = await sql.fetch_one("SELECT * FROM core_access_token WHERE id = $1", owner.token_id)

    assert row["token_hash"] == hashlib.sha256(owner.token.encode()).digest()
    assert owner.token not in str(dict(row))
    assert owner.token[4:] not in str(dict(row))


async def test_me_tells_who_and_what(client, owner, store_id):
    body = await (await client.get("/api/v1/me", headers=owner.auth)).get_json()

    assert (body["id"], body["email"], body["kind"], body["abilities"]) == (owner.id, owner.email, "owner", ["*"])
    assert body["stores_count"] == 1
    assert body["token"]["id"] == owner.token_id
    assert owner.token not in str(body)


async def test_a_scoped_token_sees_its_own_abilities(client, owner):
    body = await (
        await client.get("/api/v1/me", headers=await owner.token_with("menu:read", "orders:write"))
    ).get_json()

    assert body["abilities"] == ["menu:read", "orders:write"]


async def test_revocation_is_immediate_and_of_that_token_alone(client, owner):
    issued = await services.issue_owner_token(OWNER, owner.id, ["*"], name="second")
    assert await status(client, bearer(issued.secret)) == 200

    await services.revoke_token(owner.id, issued.id)

    assert await status(client, bearer(issued.secret)) == 401
    assert await status(client, owner.auth) == 200
    with pytest.raises(NotFound):
        await services.revoke_token(owner.id, issued.id)


async def test_another_owners_token_cannot_be_revoked(client, owner, other_owner):
    with pytest.raises(NotFound):
        await services.revoke_token(other_owner.id, owner.token_id)

    assert await status(client, owner.auth) == 200


async def test_a_token_ends_when_it_says(client, owner, clock):
    ends = clock() + timedelta(minutes=10)
    issued = await services.issue_owner_token(OWNER, owner.id, ["*"], name="short", expires_at=ends)

    clock.advance(minutes=9, seconds=59)
    before = await status(client, bearer(issued.secret))
    clock.advance(seconds=1)

    assert (before, await status(client, bearer(issued.secret))) == (200, 401)


async def test_a_kind_may_set_how_long_its_tokens_live(owner, clock):
    issued = await services.issue_token(CallerKind("brief", "br_", lifetime=timedelta(hours=1)), owner.id, [], name="x")

    assert issued.expires_at == clock() + timedelta(hours=1)


@pytest.mark.parametrize("requested", [["orders:delete"], ["gold", "*"], [""]])
async def test_a_scope_that_does_not_exist_cannot_be_given(owner, requested):
    with pytest.raises(ValidationFailed, match="Unknown scope") as refused:
        await services.issue_owner_token(OWNER, owner.id, requested, name="x")

    assert list(refused.value.errors) == ["scopes"]


@pytest.mark.usefixtures("app")
async def test_a_token_needs_an_owner():
    with pytest.raises(NotFound):
        await services.issue_token(OWNER, 2**40, ["*"], name="x")


async def test_an_owner_is_found_by_e_mail_whatever_its_case(owner):
    assert (await services.find_owner(owner.email.upper())).id == owner.id
    with pytest.raises(ValidationFailed) as refused:
        await services.create_owner(owner.email.upper(), "Again")
    assert list(refused.value.errors) == ["email"]


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


async def test_a_token_in_the_query_is_taken_with_a_warning(client, owner):
    response = await client.get(f"/api/v1/me?api_token={owner.token}")

    assert response.status_code == 200
    assert response.headers["Warning"].startswith("299 ")
    assert owner.token not in str(response.headers)


async def test_the_header_wins_over_the_query(client, owner, other_owner):
    response = await client.get(f"/api/v1/me?api_token={other_owner.token}", headers=owner.auth)

    assert (await response.get_json())["id"] == owner.id
    assert "Warning" not in response.headers
    assert await status(client, bearer("own_wrong"), f"/api/v1/me?api_token={owner.token}") == 401


async def test_a_suspended_owner_gets_403_on_every_route_and_404_in_public(client, owner, store_id):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    for path in ("/me", "/restaurants", "/restaurants/0"):
        response = await client.get(f"/api/v1{path}", headers=owner.auth)
        body = await response.get_json()
        assert (response.status_code, body["code"], body["reason"]) == (403, "forbidden", "account_suspended")
    assert await status(client, {}, f"/api/v1/menu/{store_id}") == 404

    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)
    assert await status(client, owner.auth) == 200


async def test_the_last_use_is_kept_to_the_hour(client, owner, clock):
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


async def test_a_use_of_a_sliding_token_moves_its_end(client, owner, clock):
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
async def test_a_token_of_a_sliding_kind_may_end_when_it_was_said(owner, clock, hours):
    issued = await services.issue_token(
        SHIFTS, owner.id, [], name="x", lifetime=timedelta(hours=hours), is_sliding=False
    )
    assert issued.expires_at == clock() + timedelta(hours=hours)

    clock.advance(hours=hours - 1)
    assert (await callers.find_caller(issued.secret, SHIFTS)).expires_at == issued.expires_at
    clock.advance(hours=1)

    assert await callers.find_caller(issued.secret, SHIFTS) is None


async def test_a_token_of_a_sliding_kind_may_never_end(owner, clock):
    issued = await services.issue_token(SHIFTS, owner.id, [], name="x", lifetime=None)
    assert issued.expires_at is None

    for _ in range(2):
        clock.advance(days=400)
        assert (await callers.find_caller(issued.secret, SHIFTS)).expires_at is None


async def test_a_token_of_a_kind_that_does_not_slide_does_not_either(owner, clock):
    kind = CallerKind("brief", "br_", lifetime=timedelta(hours=1))
    issued = await services.issue_token(kind, owner.id, [], name="x", is_sliding=True)

    clock.advance(minutes=59)
    await callers.find_caller(issued.secret, kind)
    clock.advance(minutes=1)

    assert await callers.find_caller(issued.secret, kind) is None


@pytest.fixture
def shift_token(owner):
    """Make a token of somebody, such as a member of staff."""

    async def make(subject_id, *, whose=owner, kind=SHIFTS):
        return await services.issue_token(kind, whose.id, ["orders"], name="x", subject_id=subject_id)

    return make


async def test_all_tokens_of_a_subject_end_at_once_but_the_one_that_is_kept(owner, other_owner, shift_token):
    kept, ended = await shift_token(7), [await shift_token(7) for _ in range(2)]
    others = [await shift_token(8), await shift_token(7, whose=other_owner)]
    app = await shift_token(7, kind=CallerKind("apps", "ap_"))

    assert await services.revoke_tokens(owner.id, SHIFTS.code, 7, except_id=kept.id) == 2

    assert [await callers.find_caller(one.secret, SHIFTS) for one in ended] == [None, None]
    assert all([await callers.find_caller(one.secret, SHIFTS) for one in (kept, *others)])
    assert await callers.find_caller(app.secret, CallerKind("apps", "ap_"))
    # Those that have ended stay as they are.
    moment = await sql.fetch_value("SELECT revoked_at FROM core_access_token WHERE id = $1", ended[0].id)
    assert await services.revoke_tokens(owner.id, SHIFTS.code, 7) == 1
    assert await callers.find_caller(kept.secret, SHIFTS) is None
    assert await sql.fetch_value("SELECT revoked_at FROM core_access_token WHERE id = $1", ended[0].id) == moment


async def test_new_scopes_hold_for_all_live_tokens_of_a_subject(owner, other_owner, shift_token):
    first, second, other = await shift_token(7), await shift_token(7), await shift_token(8)
    theirs, ended = await shift_token(7, whose=other_owner), await shift_token(7)
    await services.revoke_token(owner.id, ended.id)

    assert await services.update_scopes(owner.id, SHIFTS.code, 7, ["tables", "orders"]) == 2

    held = [(await callers.find_caller(one.secret, SHIFTS)).scopes for one in (first, second, other, theirs)]
    assert held == [{"tables", "orders"}, {"tables", "orders"}, {"orders"}, {"orders"}]
    assert await callers.find_caller(ended.secret, SHIFTS) is None
