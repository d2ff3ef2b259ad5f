"""The transaction of an entry: the caller's open one, else one of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from comanda.platform.db import sql


@asynccontextmanager
async def join_transaction() -> AsyncIterator[None]:
    """Run the block in the open transaction, or in a new one.

    There is no savepoint: a block that fails has written nothing yet.
    """
    if sql.is_in_transaction():
        yield
        return
    async with sql.transaction():
        yield
