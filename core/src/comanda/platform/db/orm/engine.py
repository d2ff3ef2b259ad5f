"""Tortoise's engine for PostgreSQL, whose ``save`` and ``delete`` find a tenant's row by its whole key.

Models declare ``id`` as their key, because Tortoise knows no keys of two columns; the tables' keys are
``(id, owner_id)``. Queries of several rows name the owner themselves.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, cast

import asyncpg
from tortoise.backends.asyncpg.client import AsyncpgDBClient, TransactionWrapper
from tortoise.backends.asyncpg.executor import AsyncpgExecutor
from tortoise.backends.base.client import NestedTransactionContext, TransactionContext, TransactionContextPooled
from tortoise.expressions import Expression
from tortoise.models import Model

from comanda.platform.db.connections.pool import FairPool

OWNER: Final = "owner_id"


class _Owned(Protocol):
    """A row of a table with owners."""

    pk: int
    owner_id: int


class _OwnedRow:
    """A client that adds the owner to the values of a statement."""

    def __init__(self, client: Any, owner_id: int) -> None:
        self._client = client
        self._owner_id = owner_id

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def execute_query(self, statement: str, values: Sequence[object]) -> tuple[int, Sequence[Any]]:
        found: tuple[int, Sequence[Any]] = await self._client.execute_query(statement, [*values, self._owner_id])
        return found


class OwnedExecutor(AsyncpgExecutor):
    """Adds the owner to the conditions of ``save`` and ``delete``."""

    def get_update_sql(self, update_fields: Iterable[str] | None, expressions: dict[str, Expression] | None) -> str:
        """Return the statement of ``save``; the owner is the last parameter, after the key."""
        statement = super().get_update_sql(update_fields, expressions)
        if OWNER not in self.model._meta.fields_db_projection:
            return statement
        key = len(list(update_fields or ())) - len(expressions or {}) + 1
        return f'{statement} AND "{OWNER}"=${key + 1}'

    async def execute_update(self, instance: type[Model] | Model, update_fields: Iterable[str] | None) -> int:
        """Update a row and return the number of rows. Its owner stays: it says where a cluster keeps the row."""
        client = self.db
        if OWNER in self.model._meta.fields_db_projection:
            update_fields = self._list_changeable(update_fields)
            self.db = cast("AsyncpgDBClient", _OwnedRow(client, cast("_Owned", instance).owner_id))
        try:
            return await super().execute_update(instance, update_fields)
        finally:
            self.db = client

    def _list_changeable(self, update_fields: Iterable[str] | None) -> list[str]:
        """Return the given fields, or all, without the key, generated ones and the owner."""
        if update_fields is not None:
            return [field for field in update_fields if field != OWNER]
        fields = self.model._meta.fields_map
        return [
            field
            for field in self.model._meta.fields_db_projection
            if field != OWNER and not fields[field].pk and not fields[field].generated
        ]

    async def execute_delete(self, instance: type[Model] | Model) -> int:
        """Delete a row and return the number of rows."""
        if OWNER not in self.model._meta.fields_db_projection:
            return await super().execute_delete(instance)
        statement = f'{self.delete_query} AND "{OWNER}"=$2'
        owned = cast("_Owned", instance)
        return (await self.db.execute_query(statement, [owned.pk, owned.owner_id]))[0]


class OwnedTransaction(TransactionWrapper):
    """A transaction on a connection."""

    executor_class = OwnedExecutor

    def _in_transaction(self) -> TransactionContext:
        return NestedTransactionContext(OwnedTransaction(self))


class DatabaseClosed(asyncpg.InterfaceError):
    """The process is stopping: it has closed its database."""


class OwnedClient(AsyncpgDBClient):
    """The pool of connections."""

    executor_class = OwnedExecutor
    _is_closed = False

    async def create_pool(self, **options: Any) -> Any:
        """Return the pool, whose connections are handed out in the order in which they were asked for.

        Raises ``DatabaseClosed`` for a task that outlives the database: nobody would close its connections.
        """
        if not self._is_closed:
            pool = FairPool(await super().create_pool(**options))
            if not self._is_closed:
                return pool
            pool.terminate()
        raise DatabaseClosed("The database has been closed.")

    async def close(self) -> None:
        """Close the pool, also one that is being opened."""
        self._is_closed = True
        await super().close()

    def _in_transaction(self) -> TransactionContext:
        return TransactionContextPooled(OwnedTransaction(self), self._pool_init_lock)


client_class = OwnedClient
