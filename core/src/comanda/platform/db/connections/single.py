"""Single connections, for what runs outside the pool of a process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from comanda.platform.db.lifecycle import CONNECT_SECONDS, parse_credentials


@asynccontextmanager
async def connect(url: str, **options: Any) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Open a connection to a database, with options of asyncpg, while the block runs."""
    connection = await asyncpg.connect(**parse_credentials(url), timeout=CONNECT_SECONDS, **options)
    try:
        yield connection
    finally:
        await connection.close()
