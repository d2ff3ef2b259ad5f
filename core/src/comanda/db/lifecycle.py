"""Opens and closes the database for one process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg
import tortoise.context as tortoise_context
from tortoise.context import TortoiseContext, set_global_context

from comanda.contracts.model_sets import ModelSet

LOCK_SECONDS = 5
CONNECT_SECONDS = 5
# The server ends a statement that takes too long; after this much more we no longer believe that it will.
GRACE_SECONDS = 5


class Connection(asyncpg.Connection):
    """A connection that goes back to the pool without the statement that resets session state.

    No code of ours leaves any behind: settings and advisory locks are taken per transaction, and LISTEN has a
    connection of its own. The reset would cost a round trip on every query.
    """

    def get_reset_query(self) -> str:
        """Return no statement."""
        return ""


def credentials(url: str) -> dict[str, Any]:
    """Split a PostgreSQL URL into what Tortoise hands to asyncpg; a socket folder comes as ``?host=/folder``."""
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
async def database(
    url: str, models: Sequence[ModelSet], *, pool_size: int, statement_timeout_seconds: float
) -> AsyncIterator[None]:
    """Open Tortoise and its pool as the process's database; close both at the end."""
    config = {
        "connections": {
            "default": {
                "engine": "tortoise.backends.asyncpg",
                "credentials": {
                    **credentials(url),
                    "minsize": 2,
                    "maxsize": pool_size,
                    "connection_class": Connection,
                    "statement_cache_size": 500,
                    "max_inactive_connection_lifetime": 300,
                    # A server that dies may leave a connection, or the opening of one, without an answer for ever.
                    "timeout": CONNECT_SECONDS,
                    "command_timeout": statement_timeout_seconds + GRACE_SECONDS,
                    "server_settings": {
                        "application_name": "comanda",
                        "statement_timeout": str(int(statement_timeout_seconds * 1000)),
                        # Whoever waits longer for a row's lock is told to come back rather than kept waiting.
                        "lock_timeout": str(LOCK_SECONDS * 1000),
                        "timezone": "UTC",
                        "jit": "off",  # compiling pays off for reports, and costs milliseconds on statements like ours
                    },
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
            # Tortoise offers no way to take a global context back, and a test process opens several in turn.
            tortoise_context._global_context = None
