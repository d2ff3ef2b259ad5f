"""Answers of creating routes by idempotency key: a request that is sent again is answered again, and creates nothing.

The key is stored in the transaction of the request, with a unique index, and so is the answer. Of two concurrent
requests with one key the later waits for the earlier. A request that fails leaves nothing, so its key can be used
again. Routes whose tables have a column for the key do this themselves, without an expiry
(``comanda.platform.db.idempotency``).
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final

from comanda.basics import clock
from comanda.basics.errors import Conflict
from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.idempotency import IdempotencyKey
from comanda.contracts.requests.routes import Route
from comanda.platform.audit_log import entries
from comanda.platform.db import sql
from comanda.platform.db.idempotency import RETRY_AFTER_SECONDS, WAITING_ERRORS
from comanda.platform.encryption.values import decrypt, encrypt
from comanda.platform.http.answers import to_answer

RETENTION: Final = timedelta(hours=24)
BATCH_SIZE: Final = 1000
ANSWER_COLUMN: Final = EncryptedColumn("core_stored_answer", "answer")

# Waits for a concurrent request with the same key, and returns nothing if that has succeeded.
CLAIM_KEY: Final = """
    INSERT INTO core_stored_answer (owner_id, actor, request_hash, body_hash, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (owner_id, actor, request_hash) DO NOTHING RETURNING id
"""
UPDATE_ANSWER: Final = "UPDATE core_stored_answer SET status = $3, answer = $4 WHERE id = $1 AND owner_id = $2"
SELECT_ANSWER: Final = """
    SELECT id, body_hash, status, answer FROM core_stored_answer
    WHERE actor = $1 AND owner_id = $2 AND request_hash = $3
"""
SELECT_OWNERS: Final = "SELECT id FROM core_owner WHERE id > $1 ORDER BY id LIMIT $2"
DELETE_OLD_ANSWERS: Final = "DELETE FROM core_stored_answer WHERE owner_id = $1 AND created_at < $2"


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """Whose idempotency keys these are."""

    owner_id: int
    sender: str


async def run_once(route: Route, arguments: Mapping[str, Any], call: Call) -> Any:
    """Run a route's handler and return its result; or the stored answer of the first request with the same key.

    Raises what the handler raises, and ``Conflict`` while a request with this key is still running.
    """
    if not route.is_replayable:
        return await route.run(arguments)
    return await answer_once(call, route.operation_id, partial(route.run, arguments), route.status)


async def answer_once(
    call: Call, operation: str, run: Callable[[], Awaitable[Any]], status: int, sender: str | None = None
) -> Any:
    """Return the result of ``run`` like ``run_once``, for a handler that first does what a rollback must not undo.

    ``operation`` is a name that no other route uses, ``status`` that of success. ``sender`` is whose keys these are, if
    others may send again what the caller sent.
    """
    key = IdempotencyKey.of(call)
    if call.caller is None or key.text is None or key.body_hash is None:
        return await run()
    request_hash = hashlib.sha256(f"{operation}\n{call.path}\n{key.text}".encode()).digest()
    whose = KeyOwner(call.caller.owner_id, sender or call.caller.actor)
    return await _run_with_key(run, status, whose, request_hash, key.body_hash)


async def _run_with_key(
    run: Callable[[], Awaitable[Any]], status: int, whose: KeyOwner, request_hash: bytes, body_hash: bytes
) -> Any:
    async with sql.transaction():
        values = (whose.owner_id, whose.sender, request_hash, body_hash, clock.now())
        try:
            answer_id = await sql.fetch_value(CLAIM_KEY, *values)
        except WAITING_ERRORS as error:
            raise Conflict(
                "A request with this idempotency key is still in progress.",
                headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
            ) from error
        if answer_id is None:
            # Nothing is written, but PostgreSQL may say so: the sequence of ids logs each 32nd number.
            if (audited := entries.get_recording()) is not None:
                audited.mark_replay()
            return await _get_answer(whose, request_hash, body_hash)
        answer = to_answer(await run(), status)
        if isinstance(answer.body, bytes):
            text = encrypt(answer.body.decode(), ANSWER_COLUMN, whose.owner_id, answer_id) if answer.body else None
            await sql.execute(UPDATE_ANSWER, answer_id, whose.owner_id, answer.status, text)
    return answer


async def _get_answer(whose: KeyOwner, request_hash: bytes, body_hash: bytes) -> Answer:
    row = await sql.one(SELECT_ANSWER, whose.sender, whose.owner_id, request_hash)
    body = decrypt(row["answer"], ANSWER_COLUMN, whose.owner_id, row["id"]).encode() if row["answer"] else b""
    headers = {"Idempotent-Replayed": "true"}
    if row["body_hash"] != body_hash:
        headers["Idempotency-Mismatch"] = "true"
    return Answer(body, row["status"], headers)


async def delete_old_answers() -> int:
    """Delete the answers of requests that are not repeated any more, and return how many."""
    before, deleted, last_id = clock.now() - RETENTION, 0, 0
    while owners := await sql.fetch(SELECT_OWNERS, last_id, BATCH_SIZE):
        for owner in owners:
            deleted += await sql.execute(DELETE_OLD_ANSWERS, owner["id"], before)
        last_id = owners[-1]["id"]
    return deleted
