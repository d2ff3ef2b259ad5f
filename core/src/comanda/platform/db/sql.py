"""Raw SQL on the connection of Tortoise: in the open transaction if there is one, else on a pooled connection.

Inserting an order, reading orders and reading menus take one statement each; loading models instead would cost two to
four times as much. Everything else may use the models. Columns are always named.
"""

import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar, Token
from dataclasses import fields
from typing import Any, Final, Protocol, TypeVar, cast

import asyncpg
from tortoise.backends.base.client import TransactionContext, TransactionContextPooled
from tortoise.connection import get_connections
from tortoise.context import require_context
from tortoise.transactions import in_transaction

from comanda.basics.errors import require_found
from comanda.platform.deadlines import current_deadline

Row = asyncpg.Record
T = TypeVar("T")

_after_commit: ContextVar[list[Callable[[], None]] | None] = ContextVar("after_commit", default=None)


class CommitHook(Protocol):
    """A participant in each outermost transaction of one request."""

    async def before_commit(self) -> None:
        """Write what has to be committed with the transaction."""

    def transaction_ended(self, *, is_committed: bool) -> None:
        """Handle the end of the transaction."""


_commit_hook: ContextVar[CommitHook | None] = ContextVar("commit_hook", default=None)


# They would end the transaction of whoever called the code that runs them, or begin one that nobody ends.
_REFUSED_STATEMENTS: Final = re.compile(
    r"\s*(?:(?:BEGIN|COMMIT|END|ABORT|START\s+TRANSACTION|PREPARE\s+TRANSACTION)\b|ROLLBACK\b(?!.*\bTO\b))",
    re.IGNORECASE | re.DOTALL,
)


def _acquire_connection(statement: str) -> Any:
    if _REFUSED_STATEMENTS.match(statement):
        raise ValueError(f"{statement.split(maxsplit=1)[0]} is left to `sql.transaction()`.")
    # The client of the open transaction, or a wrapper around the pool; both are acquired in the same way.
    return require_context().connections.get("default").acquire_connection()


async def fetch(statement: str, *values: object) -> list[asyncpg.Record]:
    """Return all rows."""
    async with _acquire_connection(statement) as connection:
        rows: list[asyncpg.Record] = await connection.fetch(statement, *values)
        return rows


async def fetch_one(statement: str, *values: object) -> asyncpg.Record | None:
    """Return the first row, or None."""
    async with _acquire_connection(statement) as connection:
        row: asyncpg.Record | None = await connection.fetchrow(statement, *values)
        return row


async def require_one(statement: str, *values: object) -> asyncpg.Record:
    """Return the first row. Raises ``NotFound`` without one."""
    return require_found(await fetch_one(statement, *values))


async def one(statement: str, *values: object) -> asyncpg.Record:
    """Return the row of a statement that always returns one, such as an ``INSERT … RETURNING`` without a conflict.

    Raises ``LookupError`` without one: that is a mistake in the code, not something that a caller did.
    """
    row = await fetch_one(statement, *values)
    if row is None:
        raise LookupError("A statement that always returns a row returned none.")
    return row


async def fetch_value(statement: str, *values: object) -> Any:
    """Return the first column of the first row, or None."""
    async with _acquire_connection(statement) as connection:
        return await connection.fetchval(statement, *values)


def to_record(kind: type[T], row: Row | Mapping[str, Any], /, **more: object) -> T:
    """Return a record whose fields are the columns of a row by these names, and ``more``; other columns are ignored."""
    names = (field.name for field in fields(cast("Any", kind)))
    return kind(**{name: row[name] for name in names if name in row and name not in more}, **more)


async def execute(statement: str, *values: object) -> int:
    """Run a statement and return the number of affected rows."""
    async with _acquire_connection(statement) as connection:
        status: str = await connection.execute(statement, *values)
    count = status.rpartition(" ")[2]
    return int(count) if count.isdigit() else 0


@asynccontextmanager
async def transaction() -> AsyncIterator[None]:
    """Run the block in one transaction, then the callbacks registered with ``after_commit``.

    A nested transaction is a savepoint; its callbacks run after the outermost commit.
    """
    outer = _after_commit.get()
    hook = _commit_hook.get() if outer is None else None
    callbacks: list[Callable[[], None]] = []
    deadline = current_deadline() if outer is None else None
    token = _after_commit.set(callbacks)
    is_committing = is_committed = False
    try:
        async with _open_transaction():
            yield
            if hook is not None:
                await hook.before_commit()
            if deadline is not None:
                deadline.begin_commit()
                is_committing = True
        is_committed = True
    finally:
        _after_commit.reset(token)
        if deadline is not None and is_committing:
            deadline.end_commit(is_committed=is_committed)
        if hook is not None:
            hook.transaction_ended(is_committed=is_committed)
    if outer is not None:
        outer.extend(callbacks)
        return
    for callback in callbacks:
        callback()


@asynccontextmanager
async def _open_transaction() -> AsyncIterator[None]:
    context = in_transaction("default")
    try:
        await context.__aenter__()
    except BaseException:
        # Tortoise returns a connection to the pool only if the block has begun.
        if isinstance(context, TransactionContextPooled) and context.client._connection is not None:
            try:
                await context.client._parent._pool.release(context.client._connection)
            finally:
                _leave(context)
        raise
    try:
        try:
            yield
        except BaseException:
            await context.__aexit__(*sys.exc_info())
            raise
        await context.__aexit__(None, None, None)
    finally:
        _leave(context)


def _leave(context: TransactionContext) -> None:
    """Run later statements outside the transaction, also when the return of its connection was cancelled."""
    if isinstance(context, TransactionContextPooled) and get_connections().get("default") is context.client:
        get_connections().reset(context.token)


def after_commit(callback: Callable[[], None]) -> bool:
    """Call ``callback`` once the open transaction has committed, or at once if there is none.

    Return False if the transaction will call it already.
    """
    waiting = _after_commit.get()
    if waiting is None:
        callback()
        return True
    if callback in waiting:
        return False
    waiting.append(callback)
    return True


def is_in_transaction() -> bool:
    """Return whether a transaction is open."""
    return _after_commit.get() is not None


def is_transaction_open() -> bool:
    """Return whether the transaction of ``transaction`` has not been ended by a statement."""
    connection = getattr(get_connections().get("default"), "_connection", None)
    return connection is not None and connection.is_in_transaction()


def set_commit_hook(hook: CommitHook) -> Token[CommitHook | None]:
    """Set the commit hook of the transactions in this context until ``reset_commit_hook``."""
    return _commit_hook.set(hook)


def reset_commit_hook(token: Token[CommitHook | None]) -> None:
    """Restore the previous commit hook."""
    _commit_hook.reset(token)
