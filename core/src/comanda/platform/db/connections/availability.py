"""Waiting for a database that is not available yet, because it is starting, recovering or failing over."""

import asyncio

import asyncpg

from comanda.basics.outages import Outage
from comanda.basics.startup_errors import DatabaseUnavailable
from comanda.platform.db.lifecycle import CONNECT_SECONDS, parse_credentials

PAUSE_SECONDS = 0.5
# A wrong name or password is no transient error and is reported at once.
TRANSIENT_ERRORS: tuple[type[Exception], ...] = (
    OSError,
    TimeoutError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InternalClientError,
)


async def wait_for_database(url: str, seconds: float) -> None:
    """Wait until the database accepts a connection. Raises ``DatabaseUnavailable`` after ``seconds``."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    outage = Outage("database", f"Startup waits for up to {seconds:g} s.")
    while True:
        try:
            connection = await asyncpg.connect(**parse_credentials(url), timeout=CONNECT_SECONDS)
        except TRANSIENT_ERRORS as error:
            if loop.time() >= deadline:
                reason = str(error).rstrip(".") or "no answer"
                raise DatabaseUnavailable(f"The database is not available after {seconds:g} s: {reason}.") from error
            outage.begin(error)
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            outage.end()
            await connection.close()
            return
