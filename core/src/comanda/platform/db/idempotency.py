"""Idempotent creation: a repeated request finds what the first one created, in whatever table that is.

The key and the hash of the body are stored in the created row, whose table has a unique index over its scope, its owner
and the key. So a key never expires, and of two concurrent requests with one key only one can create something.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import asyncpg
from tortoise.exceptions import BaseORMException

from comanda.basics.errors import ComandaError, Conflict
from comanda.contracts.requests.idempotency import IdempotencyKey, IdempotentResult
from comanda.platform.db import sql

T = TypeVar("T")

RETRY_AFTER_SECONDS: Final = 1
# Another request with the same key still runs after this one has waited for it, at most the connection's lock timeout.
WAITING_ERRORS: Final = (asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError)
# How a creation can fail because a concurrent request with the same key has succeeded: its row is there, or has used
# up what this one needed.
CREATION_ERRORS: Final = (ComandaError, asyncpg.UniqueViolationError, *WAITING_ERRORS, BaseORMException)


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """What an earlier request with the same key created, and the hash of its body."""

    id: int
    body_hash: bytes | None


@dataclass(frozen=True, slots=True)
class KeyedTable:
    """A table whose rows carry the keys of the requests that created them, unique for each value of ``scope``.

    ``scope``, ``key``, ``body_hash`` and ``id`` are names of columns; ``id`` is the column of what the request created,
    such as the gift card of an entry.
    """

    name: str
    scope: str
    key: str = "idempotency_key"
    body_hash: str = "body_hash"
    id: str = "id"

    async def find(self, owner_id: int, scope_id: int, key: IdempotencyKey) -> StoredRequest | None:
        """Return what an earlier request with this key created, if any."""
        if key.text is None:
            return None
        row = await sql.fetch_one(
            f"SELECT {self.id} AS id, {self.body_hash} AS body_hash FROM {self.name} "
            f"WHERE {self.scope} = $1 AND owner_id = $2 AND {self.key} = $3",
            scope_id,
            owner_id,
            key.text,
        )
        return None if row is None else StoredRequest(row["id"], row["body_hash"])

    async def create_once(
        self,
        owner_id: int,
        scope_id: int,
        key: IdempotencyKey,
        create: Callable[[], Awaitable[int]],
        load: Callable[[int], Awaitable[T]],
    ) -> IdempotentResult[T]:
        """Create something and load it by its id, unless an earlier request with this key did; then load that.

        ``create`` stores the key, in a transaction of its own; ``load`` checks that the caller may see the result.
        Raises what they raise, and ``Conflict`` while a request with this key is still running.
        """
        found = await self.find(owner_id, scope_id, key)
        if found is None:
            try:
                created_id = await create()
            except CREATION_ERRORS as error:
                has_key = key.text is not None
                found = await find_concurrent(error, has_key, lambda: self.find(owner_id, scope_id, key))
            else:
                return IdempotentResult(await load(created_id))
        is_mismatch = found.body_hash != key.body_hash
        return IdempotentResult(await load(found.id), is_replay=True, is_mismatch=is_mismatch)


async def find_concurrent(error: Exception, has_key: bool, find: Callable[[], Awaitable[T | None]]) -> T:
    """Return what a concurrent request with the same key created, or raise the error of this request.

    Raises ``Conflict`` if the other request is still running.
    """
    if not has_key:
        raise error
    found = await find()
    if found is not None:
        return found
    if isinstance(error, WAITING_ERRORS) or isinstance(error.__cause__, WAITING_ERRORS):
        raise Conflict(
            "A request with this idempotency key is still in progress.",
            headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
        ) from error
    raise error
