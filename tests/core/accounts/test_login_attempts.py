"""Lockout after failed logins."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import login_attempts
from comanda.accounts.login_attempts import LockoutRules
from comanda.basics.errors import RateLimited
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

RULES = LockoutRules(failures=3, window=timedelta(minutes=15))


@pytest.fixture
async def key(app):
    return await hmac_digest.hmac_digest("test", "till")


async def counted(owner_id, key):
    return await sql.fetch_value(
        "SELECT tries FROM core_login_try WHERE owner_id = $1 AND key_hash = $2", owner_id, key
    )


async def test_simultaneous_attempts_respect_the_limit(owner, key):
    outcomes = await asyncio.gather(
        *(login_attempts.count_attempt(owner.id, key, RULES) for _ in range(8)), return_exceptions=True
    )

    assert outcomes.count(None) == 3
    assert sum(isinstance(one, RateLimited) for one in outcomes) == 5


async def test_the_window_starts_with_the_first_attempt(owner, key, clock):
    await login_attempts.count_attempt(owner.id, key, RULES)
    clock.advance(minutes=10)
    for _ in range(2):
        await login_attempts.count_attempt(owner.id, key, RULES)
    with pytest.raises(RateLimited) as refused:
        await login_attempts.count_attempt(owner.id, key, RULES)

    assert refused.value.headers["Retry-After"] == str(5 * 60 + 1)
    clock.advance(minutes=5)
    await login_attempts.count_attempt(owner.id, key, RULES)
    assert await counted(owner.id, key) == 1


async def test_attempts_are_counted_by_key_and_owner(owner, other_owner, key):
    other_key = await hmac_digest.hmac_digest("test", "bar")
    for _ in range(3):
        await login_attempts.count_attempt(owner.id, key, RULES)

    await login_attempts.count_attempt(owner.id, other_key, RULES)
    await login_attempts.count_attempt(other_owner.id, key, RULES)
    with pytest.raises(RateLimited):
        await login_attempts.count_attempt(owner.id, key, RULES)


async def test_a_success_resets_the_count(owner, other_owner, key):
    other_key = await hmac_digest.hmac_digest("test", "bar")
    for owner_id, one in ((owner.id, key), (owner.id, other_key), (other_owner.id, key)):
        await login_attempts.count_attempt(owner_id, one, RULES)

    await login_attempts.reset_attempts(owner.id, key)
    assert (await counted(owner.id, key), await counted(owner.id, other_key)) == (None, 1)
    await login_attempts.reset_all_attempts(owner.id, [key, other_key])
    assert (await counted(owner.id, other_key), await counted(other_owner.id, key)) == (None, 1)


async def test_attempts_of_expired_windows_are_deleted(owner, key, clock, run_task):
    other_key = await hmac_digest.hmac_digest("test", "bar")
    await login_attempts.count_attempt(owner.id, key, RULES)
    clock.advance(minutes=14)
    await login_attempts.count_attempt(owner.id, other_key, RULES)
    clock.advance(minutes=1)

    await run_task("prune_tries")

    assert (await counted(owner.id, key), await counted(owner.id, other_key)) == (None, 1)
