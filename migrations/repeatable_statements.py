"""Statements that PostgreSQL runs outside a transaction, or that would hold locks for too long in one.

A kill may come between any two of them, or in their middle, so only those are allowed that may be run again.
"""

import re
from typing import Final

import asyncpg

from .history import MigrationError, Step

CREATE_INDEX: Final = re.compile(r"CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?P<name>\w+) ON ", re.IGNORECASE)
DROP_INDEX: Final = re.compile(r"DROP INDEX CONCURRENTLY IF EXISTS \w+\Z", re.IGNORECASE)
VALIDATE: Final = re.compile(r"ALTER TABLE (ONLY )?\w+ VALIDATE CONSTRAINT \w+\Z", re.IGNORECASE)
COMMENT: Final = re.compile(r"^\s*--.*$", re.MULTILINE)
END: Final = re.compile(r";[ \t]*(?:\n|\Z)")
IS_INVALID: Final = "SELECT NOT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"


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
    created = CREATE_INDEX.match(statement)
    # What a killed process leaves of an index is not used, and yet would count as there.
    if created and await connection.fetchval(IS_INVALID, created["name"]):
        await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {created['name']}")
    await connection.execute(statement)
