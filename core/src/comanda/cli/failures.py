"""What a person reads when a command fails: one line instead of a traceback."""

import asyncio
import socket

from comanda.backups.errors import BackupError
from comanda.embedded.account import EmbeddedPostgresError
from comanda.errors import ComandaError, ValidationFailed
from comanda.startup_errors import DatabaseUnavailable, StartupError

UNREACHABLE = "The database cannot be reached: {error}. {where}"
SET = "DATABASE_URL says where it is."
EMBEDDED = "It is the embedded PostgreSQL; postgres.log in the data folder says why."
# Errors of asyncpg by name, as importing it takes longer than most commands.
DATABASE_LINES = {
    "CannotConnectNowError": UNREACHABLE,
    "TooManyConnectionsError": UNREACHABLE,
    "InvalidCatalogNameError": "The database is not there: {error}. DATABASE_URL names it.",
    "InvalidPasswordError": "The database refuses us: {error}. DATABASE_URL says as whom we ask.",
    "InvalidAuthorizationSpecificationError": "The database refuses us: {error}. DATABASE_URL says as whom we ask.",
    "ClientConfigurationError": "The database's address cannot be used: {error}. DATABASE_URL holds it.",
    "UndefinedTableError": "The database lacks tables: {error}. Run `comanda migrate`.",
}


def sentence(error: BaseException) -> str | None:
    """Say what went wrong in one line, or None for an error that is a defect of ours and needs its traceback."""
    if isinstance(error, ValidationFailed):
        return " ".join(f"{field}: {line}" for field, lines in error.errors.items() for line in lines)
    if isinstance(error, DatabaseUnavailable):
        return f"{error} {_where()}"
    if isinstance(error, ComandaError | StartupError | EmbeddedPostgresError | BackupError) or _is(
        error, "comanda_migrations"
    ):
        return str(error)
    if _is(error, "redis.exceptions"):
        return f"Redis does not answer: {str(error).rstrip('.')}. REDIS_URL says where it is."
    if _is(error, "asyncpg.exceptions"):
        line = DATABASE_LINES.get(type(error).__name__)
        return line and line.format(error=error, where=_where())
    return _of_the_system(error)


def _where() -> str:
    """Return where the operator finds out more: not in a setting that is not set."""
    # Imported only now, as pydantic takes longer to import than many commands take.
    from comanda.settings import Settings, read  # noqa: PLC0415

    return SET if read(Settings).database_url is not None else EMBEDDED


def _is(error: BaseException, module: str) -> bool:
    return any(kind.__module__.startswith(module) for kind in type(error).__mro__)


def _of_the_system(error: BaseException) -> str | None:
    """Word the operating system's errors: of a file by its name, of a connection as the database's."""
    if isinstance(error, asyncio.TimeoutError):
        return UNREACHABLE.format(error="it does not answer", where=_where())
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}."
    # asyncio folds the failures of a name's several addresses into one plain OSError.
    if isinstance(error, ConnectionError | socket.gaierror) or "Connect call failed" in str(error):
        return UNREACHABLE.format(error=error, where=_where())
    return None
