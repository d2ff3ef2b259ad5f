"""What a person reads when a command fails: one line instead of a traceback."""

import asyncio
import socket

from comanda.backups.errors import BackupError
from comanda.embedded.account import EmbeddedPostgresError
from comanda.errors import ComandaError, ValidationFailed
from comanda.startup_errors import DatabaseUnavailable, StartupError

DATABASE_UNREACHABLE = "The database cannot be reached: {error}. {where}"
DATABASE_URL_HINT = "DATABASE_URL says where it is."
EMBEDDED_HINT = "It is the embedded PostgreSQL; postgres.log in the data folder says why."
# Errors of asyncpg by name, as importing it takes longer than most commands.
DATABASE_LINES = {
    "CannotConnectNowError": DATABASE_UNREACHABLE,
    "TooManyConnectionsError": DATABASE_UNREACHABLE,
    "InvalidCatalogNameError": "The database is not there: {error}. DATABASE_URL names it.",
    "InvalidPasswordError": "The database refuses us: {error}. DATABASE_URL says as whom we ask.",
    "InvalidAuthorizationSpecificationError": "The database refuses us: {error}. DATABASE_URL says as whom we ask.",
    "ClientConfigurationError": "The database's address cannot be used: {error}. DATABASE_URL holds it.",
    "UndefinedTableError": "The database lacks tables: {error}. Run `comanda migrate`.",
}


def describe_error(error: BaseException) -> str | None:
    """Say what went wrong in one line, or None for an error that is a defect of ours and needs its traceback."""
    if isinstance(error, ValidationFailed):
        return " ".join(f"{field}: {line}" for field, lines in error.errors.items() for line in lines)
    if isinstance(error, DatabaseUnavailable):
        return f"{error} {_get_hint()}"
    if isinstance(error, ComandaError | StartupError | EmbeddedPostgresError | BackupError) or _is_from(
        error, "comanda_migrations"
    ):
        return str(error)
    if _is_from(error, "redis.exceptions"):
        return f"Redis does not answer: {str(error).rstrip('.')}. REDIS_URL says where it is."
    if _is_from(error, "asyncpg.exceptions"):
        line = DATABASE_LINES.get(type(error).__name__)
        return line and line.format(error=error, where=_get_hint())
    return _describe_system_error(error)


def _get_hint() -> str:
    """Return where the operator finds out more: not in a setting that is not set."""
    # Imported only now, as pydantic takes longer to import than many commands take.
    from comanda.settings import Settings, read_settings  # noqa: PLC0415

    return DATABASE_URL_HINT if read_settings(Settings).database_url is not None else EMBEDDED_HINT


def _is_from(error: BaseException, module: str) -> bool:
    return any(kind.__module__.startswith(module) for kind in type(error).__mro__)


def _describe_system_error(error: BaseException) -> str | None:
    """Word the operating system's errors: of a file by its name, of a connection as the database's."""
    if isinstance(error, asyncio.TimeoutError):
        return DATABASE_UNREACHABLE.format(error="it does not answer", where=_get_hint())
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}."
    # asyncio folds the failures of a name's several addresses into one plain OSError.
    if isinstance(error, ConnectionError | socket.gaierror) or "Connect call failed" in str(error):
        return DATABASE_UNREACHABLE.format(error=error, where=_get_hint())
    return None
