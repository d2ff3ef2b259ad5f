"""Statements that PostgreSQL runs outside a transaction, or that would hold locks for too long in one.

A kill may come between any two of them, or in their middle, so only those are allowed that may be run again.
"""

import re
from typing import Final

import asyncpg

from . import table_locks
from .history import MigrationError, Step

CREATE_INDEX: Final = re.compile(
    r"CREATE (?P<unique>UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?P<name>\w+) ON (?P<table>\w+)(?P<rest>.*)",
    re.IGNORECASE,
)
DROP_INDEX: Final = re.compile(r"DROP INDEX CONCURRENTLY IF EXISTS (?P<name>\w+)\Z", re.IGNORECASE)
VALIDATE: Final = re.compile(r"ALTER TABLE (ONLY )?\w+ VALIDATE CONSTRAINT \w+\Z", re.IGNORECASE)
COMMENT: Final = re.compile(r"^\s*--.*$", re.MULTILINE)
END: Final = re.compile(r";[ \t]*(?:\n|\Z)")
IS_INVALID: Final = "SELECT NOT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"
IS_PARTITIONED: Final = "SELECT relkind IN ('p', 'I') FROM pg_class WHERE oid = to_regclass($1)"
# The partitions of a table that an index of it does not have yet.
SELECT_PARTITIONS: Final = """
    SELECT p.oid::regclass::text AS name FROM pg_inherits t JOIN pg_class p ON p.oid = t.inhrelid
    WHERE t.inhparent = to_regclass($1) AND NOT t.inhdetachpending AND NOT EXISTS (
        SELECT FROM pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid
        WHERE x.indrelid = p.oid AND i.inhparent = to_regclass($2))
    ORDER BY p.relname
"""
MAX_NAME_BYTES: Final = 63


def split_statements(step: Step, script: str) -> list[str]:
    """Return the statements of a file, each of which ends with a semicolon at the end of a line.

    Raises ``MigrationError`` if one of them cannot be repeated.
    """
    text = COMMENT.sub("", script)
    statements = [" ".join(part.split()) for part in END.split(text) if part.strip()]
    for statement in statements:
        if not any(pattern.match(statement) for pattern in (CREATE_INDEX, DROP_INDEX, VALIDATE)):
            raise MigrationError(
                f"{step} asks to run outside a transaction, where a kill may leave it half applied. Only CREATE INDEX "
                "CONCURRENTLY IF NOT EXISTS, DROP INDEX CONCURRENTLY IF EXISTS and ALTER TABLE … VALIDATE CONSTRAINT "
                f"may do so, because they can be repeated, but it has: {statement}",
                step.app,
            )
    return statements


async def execute_again(connection: "asyncpg.Connection[asyncpg.Record]", statement: str) -> None:
    """Run a statement that an earlier start may have begun."""
    created, dropped = CREATE_INDEX.match(statement), DROP_INDEX.match(statement)
    if created and await connection.fetchval(IS_PARTITIONED, created["table"]):
        await _create_index_of_partitions(connection, created)
    elif dropped and await connection.fetchval(IS_PARTITIONED, dropped["name"]):
        await _execute_briefly(connection, f"DROP INDEX IF EXISTS {dropped['name']}")
    else:
        # What a killed process leaves of an index is not used, and yet would count as there.
        if created and await connection.fetchval(IS_INVALID, created["name"]):
            await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {created['name']}")
        await connection.execute(statement)


async def _create_index_of_partitions(connection: "asyncpg.Connection[asyncpg.Record]", created: re.Match[str]) -> None:
    """Create an index of each partition while rows are written, and one of the whole table that consists of them.

    It is valid once no partition lacks it.
    """
    name, table, rest = created["name"], created["table"], created["rest"]
    kind = f"CREATE {created['unique'] or ''}INDEX"
    await _execute_briefly(connection, f"{kind} IF NOT EXISTS {name} ON ONLY {table}{rest}")
    for partition in await connection.fetch(SELECT_PARTITIONS, table, name):
        suffix = partition["name"].removeprefix(table)
        own = name[: MAX_NAME_BYTES - len(suffix)] + suffix
        await execute_again(connection, f"{kind} CONCURRENTLY IF NOT EXISTS {own} ON {partition['name']}{rest}")
        await _execute_briefly(connection, f"ALTER INDEX {name} ATTACH PARTITION {own}")


async def _execute_briefly(connection: "asyncpg.Connection[asyncpg.Record]", statement: str) -> None:
    """Run a statement that takes a moment once it has its locks."""

    async def run() -> None:
        async with connection.transaction():
            await table_locks.limit_lock_waits(connection)
            await connection.execute(statement)

    await table_locks.retry_while_locked(run)
