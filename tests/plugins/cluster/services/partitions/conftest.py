"""Databases with a log table."""

import asyncpg
import pytest
from comanda_cluster.services.partitions.sessions import open_session
from press_log import TABLES, Press


@pytest.fixture
def press_url(new_database):
    return new_database("comanda_test_partitions")


@pytest.fixture
async def press(press_url):
    """A database with the table, which is not partitioned yet."""
    user = await asyncpg.connect(press_url)
    await user.execute(TABLES)
    async with open_session(press_url) as session:
        yield Press(press_url, session, user)
    await user.close()
