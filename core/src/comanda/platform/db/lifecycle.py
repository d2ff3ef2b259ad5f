"""The database connections of one process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import tortoise.context as tortoise_context
from tortoise.context import TortoiseContext, set_global_context

from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.db.connections.modes import ConnectionMode, get_session_options

LOCK_SECONDS = 5
CONNECT_SECONDS = 5
# The server cancels a statement that takes too long; the client gives up this much later.
GRACE_SECONDS = 5


def parse_credentials(url: str) -> dict[str, Any]:
    """Parse a PostgreSQL URL into arguments of asyncpg; ``?host=/folder`` names the folder of a socket."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    found: dict[str, Any] = {
        "host": query.get("host") or parts.hostname or "localhost",
        "port": int(query.get("port") or parts.port or 5432),
        "user": unquote(parts.username) if parts.username else query.get("user"),
        "password": unquote(parts.password) if parts.password else query.get("password"),
        "database": unquote(parts.path.lstrip("/")) or "postgres",
    }
    if "sslmode" in query:
        found["ssl"] = query["sslmode"]
    return found


@asynccontextmanager
async def open_database(
    url: str,
    models: Sequence[ModelSet],
    *,
    pool_size: int,
    statement_timeout_seconds: float,
    idle_transaction_timeout_seconds: float,
    mode: ConnectionMode = ConnectionMode.DIRECT,
) -> AsyncIterator[None]:
    """Open Tortoise and its pool as the database of the process; close both at the end."""
    limits = {
        "statement_timeout": str(int(statement_timeout_seconds * 1000)),
        # A request that waits longer for a row lock fails and may be retried.
        "lock_timeout": str(LOCK_SECONDS * 1000),
        # Code that stops in the middle of a transaction would hold its locks for ever.
        "idle_in_transaction_session_timeout": str(int(idle_transaction_timeout_seconds * 1000)),
        "jit": "off",  # compilation pays off for reports but costs milliseconds on short statements
    }
    config = {
        "connections": {
            "default": {
                "engine": "comanda.platform.db.orm.engine",
                "credentials": {
                    **parse_credentials(url),
                    **get_session_options(mode, limits),
                    "minsize": 2,
                    "maxsize": pool_size,
                    "max_inactive_connection_lifetime": 300,
                    # When a server dies, a connection or its opening may never get an answer.
                    "timeout": CONNECT_SECONDS,
                    "command_timeout": statement_timeout_seconds + GRACE_SECONDS,
                },
            }
        },
        "apps": {
            models_of.app: {"models": list(models_of.modules), "default_connection": "default"} for models_of in models
        },
        "use_tz": True,
        "timezone": "UTC",
    }
    context = TortoiseContext()
    async with context:
        await context.init(config=config)
        set_global_context(context)
        try:
            yield
        finally:
            # Tortoise cannot unset a global context, and test processes open several in turn.
            tortoise_context._global_context = None
