"""Idempotent creation: one row per key, however often and however concurrently it is requested."""

import asyncio

import asyncpg
import pytest
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.contracts.requests.idempotency import NO_IDEMPOTENCY_KEY, IdempotencyKey
from comanda.platform.db import sql
from comanda.platform.db.idempotency import KeyedTable

TABLE = KeyedTable("keyed_thing", "store_id")
KEY = IdempotencyKey("one", b"body")


class Things:
    """A table of things, and requests that create one in it."""

    def __init__(self, owner_id):
        self.owner_id = owner_id
        self.created = 0

    async def create(self, key=KEY, pause=0.0, error=None):
        async def insert():
            async with sql.transaction():
                thing_id = await sql.fetch_value(
                    "INSERT INTO keyed_thing (owner_id, store_id, idempotency_key, body_hash) "
                    "VALUES ($1, 7, $2, $3) RETURNING id", self.owner_id, key.text, key.body_hash,
                )  # fmt: skip
                await asyncio.sleep(pause)
                if error is not None:
                    raise error
            self.created += 1
            return thing_id

        async def load(thing_id):
            return await sql.fetch_value("SELECT id FROM keyed_thing WHERE id = $1", thing_id)

        return await TABLE.create_once(self.owner_id, 7, key, insert, load)


@pytest.fixture
async def things(owner):
    await sql.execute(
        """CREATE TABLE keyed_thing (id bigint GENERATED ALWAYS AS IDENTITY, owner_id bigint, store_id bigint,
           idempotency_key text, body_hash bytea, UNIQUE (store_id, owner_id, idempotency_key))"""
    )
    yield Things(owner.id)
    await sql.execute("DROP TABLE keyed_thing")


async def test_repeat_returns_the_first_result(things):
    first = await things.create()
    again = await things.create()
    other_body = await things.create(IdempotencyKey("one", b"other"))

    assert (first.is_replay, again.is_replay, other_body.is_replay) == (False, True, True)
    assert (again.is_mismatch, other_body.is_mismatch) == (False, True)
    assert first.record == again.record == other_body.record
    assert things.created == 1


async def test_requests_without_key_create_one_each(things):
    first, second = await things.create(NO_IDEMPOTENCY_KEY), await things.create(NO_IDEMPOTENCY_KEY)

    assert first.record != second.record
    assert not second.is_replay


async def test_concurrent_repeats_wait_for_the_first(things):
    results = await asyncio.gather(*(things.create(pause=0.2) for _ in range(4)))

    assert sorted(result.is_replay for result in results) == [False, True, True, True]
    assert len({result.record for result in results}) == 1
    assert things.created == 1


async def test_refusal_beside_a_finished_request_is_a_replay(things):
    winner = asyncio.create_task(things.create(pause=0.2))
    await asyncio.sleep(0.05)
    refused = ValidationFailed(items=["Sold out."])

    async def refuse_later():
        await winner
        raise refused

    result = await TABLE.create_once(things.owner_id, 7, KEY, refuse_later, lambda id: asyncio.sleep(0, id))

    assert (result.is_replay, result.record) == (True, (await winner).record)
    with pytest.raises(ValidationFailed):
        await things.create(IdempotencyKey("two", b""), error=refused)


async def test_request_that_waited_too_long_is_told_to_retry(things):
    async def wait():
        raise asyncpg.LockNotAvailableError("canceling statement due to lock timeout")

    with pytest.raises(Conflict) as refused:
        await TABLE.create_once(things.owner_id, 7, KEY, wait, lambda id: asyncio.sleep(0, id))
    with pytest.raises(asyncpg.LockNotAvailableError):
        await TABLE.create_once(things.owner_id, 7, NO_IDEMPOTENCY_KEY, wait, lambda id: asyncio.sleep(0, id))

    assert refused.value.headers == {"Retry-After": "1"}
