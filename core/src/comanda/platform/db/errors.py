"""Database errors by their meaning for a caller: retry, the text cannot be stored, or which constraint it breaks."""

import re
from typing import Final

import asyncpg
from tortoise.exceptions import DBConnectionError

# The database restarts, accepts no connections, has too many of them, is read-only until a failover completes, has no
# disk space or memory left, cannot read or write its files, or ended this transaction to break a deadlock.
TRANSIENT_ERRORS: tuple[type[Exception], ...] = (
    DBConnectionError,
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the connection broke during the query
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.QueryCanceledError,
)

# Texts that PostgreSQL cannot store. Our own field types are cleaned; a plain ``str`` of a plugin may not be.
UNSTORABLE_TEXT_ERRORS = (asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)

# A node of a cluster names the constraint of its shard, and the coordinator passes on only the message.
_CONSTRAINT: Final = re.compile(r'constraint "([^"]+)"')
_SHARD_NUMBER: Final = re.compile(r"_\d{6,}$")


def get_constraint_name(error: asyncpg.IntegrityConstraintViolationError) -> str:
    """Return the name of the constraint that a row breaks, as migrations have it; on a cluster, too."""
    found = _CONSTRAINT.search(str(error))
    name = error.constraint_name or (found[1] if found else "")
    return _SHARD_NUMBER.sub("", name)
