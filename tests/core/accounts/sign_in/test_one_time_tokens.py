"""One-time tokens."""

import asyncio
from datetime import timedelta

from comanda.accounts import tokens
from comanda.accounts.sign_in.one_time_tokens import (
    NO_OWNER,
    create_token,
    delete_tokens,
    find_token,
    use_token,
)
from comanda.basics.owner_prefix import add_owner_prefix
from comanda.platform.db import sql

HOUR = timedelta(hours=1)


async def test_token_is_good_once(owner):
    token = await create_token(owner.id, "reset", HOUR, "for Ada")
    assert (await find_token(token, "reset")).content == "for Ada"

    results = await asyncio.gather(*(use_token(token, "reset") for _ in range(5)))

    [used] = [result for result in results if result is not None]
    assert (used.owner_id, used.content) == (owner.id, "for Ada")
    assert await find_token(token, "reset") is None


async def test_token_is_of_one_purpose_owner_and_time(owner, other_owner, clock):
    token = await create_token(owner.id, "reset", HOUR)
    random = token[-46:]

    others = [add_owner_prefix(other_owner.id, random), random, "", "x", token + "1", tokens.generate_token("")]
    assert [each for each in others if await use_token(each, "reset") is not None] == []
    assert await use_token(token, "setup") is None
    assert await find_token(token, "reset") is not None
    clock.advance(hours=1)
    assert await use_token(token, "reset") is None


async def test_token_is_stored_as_its_hash(owner):
    token = await create_token(owner.id, "reset", HOUR)

    row = await sql.fetch_value("SELECT to_jsonb(t)::text FROM core_one_time_token t WHERE owner_id = $1", owner.id)

    assert tokens.hash_token(token).hex() in row
    assert token[-46:] not in row


async def test_tokens_are_deleted_by_purpose_and_when_expired(owner, clock, run_task):
    one, two = await create_token(owner.id, "reset", HOUR), await create_token(owner.id, "setup", 2 * HOUR)
    nobodys = await create_token(NO_OWNER, "reset", HOUR)

    assert await delete_tokens(owner.id, "reset") == 1
    assert await find_token(one, "reset") is None
    assert await find_token(nobodys, "reset") is not None
    clock.advance(hours=1)
    await run_task("prune_one_time_tokens")
    expired = f"%{tokens.hash_token(nobodys).hex()}%"
    assert not await sql.fetch("SELECT FROM core_one_time_token t WHERE to_jsonb(t)::text LIKE $1", expired)
    assert await find_token(two, "setup") is not None
