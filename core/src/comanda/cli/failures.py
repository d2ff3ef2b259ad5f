"""Error messages of commands: one line instead of a traceback."""

import asyncio
import errno
import os
import socket

from comanda.basics.errors import ComandaError, ValidationFailed
from comanda.basics.startup_errors import DatabaseUnavailable, StartupError
from comanda.operations.backups.errors import BackupError

DATABASE_UNREACHABLE = "The database cannot be reached: {error}. {where}"
DATABASE_URL_HINT = "Check DATABASE_URL."
EMBEDDED_HINT = "It is the embedded PostgreSQL; see postgres.log in the data folder."
FULL_DISK = "The disk is full: {error}. Free some space, then try again."
FULL_DISK_WORDS = tuple(os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT))
# Errors of asyncpg by name, because importing it takes longer than most commands.
DATABASE_LINES = {
    "CannotConnectNowError": DATABASE_UNREACHABLE,
    "ConnectionDoesNotExistError": DATABASE_UNREACHABLE,
    "TooManyConnectionsError": DATABASE_UNREACHABLE,
    "InvalidCatalogNameError": "The database does not exist: {error}. Check DATABASE_URL.",
    "InvalidPasswordError": "The database rejected the login: {error}. Check DATABASE_URL.",
    "InvalidAuthorizationSpecificationError": "The database rejected the login: {error}. Check DATABASE_URL.",
    "ClientConfigurationError": "The database URL cannot be used: {error}. Check DATABASE_URL.",
    "ProtocolViolationError": "The database refused the connection: {error}. "
    "If DATABASE_URL is the address of a pooler in transaction mode, set DATABASE_DIRECT_URL, too.",
    "UndefinedTableError": "Tables are missing: {error}. Run `comanda migrate`.",
}


def describe_error(error: BaseException) -> str | None:
    """Return one line about an error, or None for a defect, which needs its traceback."""
    # PostgreSQL's words for it are those of the system, even where a migration passes them on or a backup does.
    if any(words in str(error) for words in FULL_DISK_WORDS):
        return FULL_DISK.format(error=str(error).splitlines()[0].rstrip("."))
    return _describe_known_error(error)


def _describe_known_error(error: BaseException) -> str | None:
    if isinstance(error, ValidationFailed):
        return " ".join(f"{field}: {line}" for field, lines in error.errors.items() for line in lines)
    if isinstance(error, DatabaseUnavailable):
        return f"{error} {_get_hint()}"
    if isinstance(error, ComandaError | StartupError | BackupError) or _is_from(error, "comanda_migrations"):
        return str(error)
    if _is_from(error, "redis.exceptions"):
        return f"Redis does not answer: {str(error).rstrip('.')}. Check REDIS_URL."
    if _is_from(error, "asyncpg.exceptions"):
        line = DATABASE_LINES.get(type(error).__name__)
        return line and line.format(error=error, where=_get_hint())
    return _describe_system_error(error)


def _get_hint() -> str:
    """Return a hint on where to look: at DATABASE_URL if it is set, else at the embedded database."""
    # Imported late, because importing pydantic takes longer than many commands.
    from comanda.platform.settings import Settings, read_settings

    return DATABASE_URL_HINT if read_settings(Settings).database_url is not None else EMBEDDED_HINT


def _is_from(error: BaseException, module: str) -> bool:
    return any(kind.__module__.startswith(module) for kind in type(error).__mro__)


def _describe_system_error(error: BaseException) -> str | None:
    """Return one line about an operating system error: of a file by its name, of a connection as the database."""
    if isinstance(error, asyncio.TimeoutError):
        return DATABASE_UNREACHABLE.format(error="it does not answer", where=_get_hint())
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}."
    # asyncio combines the failures of several addresses into one plain OSError.
    if isinstance(error, ConnectionError | socket.gaierror) or "Connect call failed" in str(error):
        return DATABASE_UNREACHABLE.format(error=error, where=_get_hint())
    return None
