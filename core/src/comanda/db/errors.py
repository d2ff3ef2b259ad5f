"""Database errors by their meaning for a caller: retry, or the text cannot be stored."""

import asyncpg
from tortoise.exceptions import DBConnectionError

# The database restarts, accepts no connections, has too many of them, is read-only until a failover completes, or
# ended this transaction to break a deadlock.
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
    asyncpg.TooManyConnectionsError,
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
