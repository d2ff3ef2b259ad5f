"""Connections through a pooler in transaction mode, such as PgBouncer.

Each transaction, and each statement outside of one, may run on another connection to the server: no prepared statement
and no setting outlives it. What needs a session, which is LISTEN and migrations, uses an address without a pooler.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, cast

import asyncpg
from cachetools import LRUCache

from comanda.platform.db.connections.pooled import PooledConnection

MAX_STATEMENTS: Final = 500


class UnnamedStatements(PooledConnection):
    """A connection that prepares no statements on the server and yet needs one round trip for each.

    Without a statement cache asyncpg asks for the types of parameters and columns before each execution. They are kept
    here instead, and each execution parses its statement in the same messages.
    """

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._described: LRUCache[tuple[object, ...], Any] = LRUCache(MAX_STATEMENTS)

    async def _get_statement(
        self,
        query: str,
        timeout_seconds: float | None,
        *,
        named: str | bool | None = False,
        use_cache: bool = True,
        ignore_custom_codec: bool = False,
        record_class: type[asyncpg.Record] | None = None,
    ) -> Any:
        key = (query, record_class, ignore_custom_codec)
        described = self._described.get(key) if use_cache and not named else None
        if described is not None:
            return described
        statement = await cast("Any", super())._get_statement(
            query,
            timeout_seconds,
            named=named,
            use_cache=use_cache,
            ignore_custom_codec=ignore_custom_codec,
            record_class=record_class,
        )
        if use_cache and not named:
            self._described[key] = statement
        return statement

    async def _execute(self, *args: Any, **named: Any) -> Any:
        try:
            return await cast("Any", super())._execute(*args, **named)
        except (asyncpg.InternalClientError, asyncpg.DataError):
            # Perhaps a migration has changed the type of a column or a parameter.
            self._described.clear()
            raise
        except BufferError as error:
            self._described.clear()
            raise asyncpg.InternalClientError(f"The type of a column has changed: {error}.") from error

    def _drop_local_statement_cache(self) -> None:
        cast("Any", super())._drop_local_statement_cache()
        self._described.clear()


class _LimitedTransactions(PooledConnection):
    _settings: ClassVar[str]

    async def execute(self, query: str, *args: object, **options: Any) -> str:
        if query.startswith("BEGIN"):
            query += self._settings
        return await super().execute(query, *args, **options)


def limit_transactions(kind: type[PooledConnection], limits: Mapping[str, str]) -> type[PooledConnection]:
    """Return a kind of connection whose transactions set ``limits`` for themselves, in the round trip of ``BEGIN``.

    A pooler does not pass a session's settings on, so the limits of single statements are the pooler's to set.
    """
    settings = " ".join(f"SET LOCAL {name} = '{value}';" for name, value in limits.items())

    limited = type("LimitedTransactions", (_LimitedTransactions, kind), {"_settings": settings})
    return cast("type[PooledConnection]", limited)
