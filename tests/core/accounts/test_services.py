"""Owners and access tokens."""

import hashlib
from datetime import timedelta

import pytest
from comanda.accounts import callers, services
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.requests.callers import CallerKind
from comanda.platform.db import sql

OWNER = CallerKind("owner", "own_")


async def status(client, auth, path="/api/v1/me"):
    return (await client.get(path, headers=auth)).status_code


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


async def test_only_a_hash_is_stored(owner):
    row = await sql.fetch_one("SELECT * FROM core_access_token WHERE id = $1", owner.token_id)

    assert row["token_hash"] == hashlib.sha256(owner.token.encode()).digest()
    assert owner.token not in str(dict(row))
    assert owner.token[4:] not in str(dict(row))


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


async def test_a_token_expires(client, owner, clock):
    ends = clock() + timedelta(minutes=10)
    issued = await services.issue_owner_token(OWNER, owner.id, ["*"], name="short", expires_at=ends)

    clock.advance(minutes=9, seconds=59)
    before = await status(client, bearer(issued.secret))
    clock.advance(seconds=1)

    assert (before, await status(client, bearer(issued.secret))) == (200, 401)


async def test_a_kind_sets_the_lifetime_of_its_tokens(owner, clock):
    issued = await services.issue_token(CallerKind("brief", "br_", lifetime=timedelta(hours=1)), owner.id, [], name="x")

    assert issued.expires_at == clock() + timedelta(hours=1)


@pytest.mark.parametrize("requested", [["orders:delete"], ["gold", "*"], [""]])
async def test_an_unknown_scope_is_refused(owner, requested):
    with pytest.raises(ValidationFailed, match="Unknown scope") as refused:
        await services.issue_owner_token(OWNER, owner.id, requested, name="x")

    assert list(refused.value.errors) == ["scopes"]


@pytest.mark.usefixtures("app")
async def test_a_token_needs_an_owner():
    with pytest.raises(NotFound):
        await services.issue_token(OWNER, 2**40, ["*"], name="x")


async def test_email_lookup_ignores_case(owner):
    assert (await services.find_owner(owner.email.upper())).id == owner.id
    with pytest.raises(ValidationFailed) as refused:
        await services.create_owner(owner.email.upper(), "Again")
    assert list(refused.value.errors) == ["email"]


SHIFTS = CallerKind("shifts", "sh_", lifetime=timedelta(days=30), is_sliding=True)


@pytest.fixture
def shift_token(owner):
    """Make a token of somebody, such as a member of staff."""

    async def make(subject_id, *, whose=owner, kind=SHIFTS):
        return await services.issue_token(kind, whose.id, ["orders"], name="x", subject_id=subject_id)

    return make


async def test_all_tokens_of_a_subject_are_revoked_except_one(owner, other_owner, shift_token):
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


async def test_new_scopes_apply_to_all_active_tokens(owner, other_owner, shift_token):
    first, second, other = await shift_token(7), await shift_token(7), await shift_token(8)
    theirs, ended = await shift_token(7, whose=other_owner), await shift_token(7)
    await services.revoke_token(owner.id, ended.id)

    assert await services.update_scopes(owner.id, SHIFTS.code, 7, ["tables", "orders"]) == 2

    held = [(await callers.find_caller(one.secret, SHIFTS)).scopes for one in (first, second, other, theirs)]
    assert held == [{"tables", "orders"}, {"tables", "orders"}, {"orders"}, {"orders"}]
    assert await callers.find_caller(ended.secret, SHIFTS) is None
