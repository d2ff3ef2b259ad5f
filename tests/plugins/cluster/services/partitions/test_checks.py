"""Checks of partitioned log tables."""

import asyncpg
import pytest
from comanda.contracts import ModelSet
from comanda_cluster.services.partitions import conversion
from comanda_cluster.services.partitions.checks import ADVICE, check_partitions
from comanda_cluster.services.partitions.sessions import open_session
from press_log import LOG, NOVEMBER, TABLES

# The last id of the two partitions ahead.
MAX_ID = 39_999_999


@pytest.fixture
def press_url(new_database):
    return new_database("comanda_test_partition_checks")


async def test_partitioned_table_without_room_ahead_is_a_problem(press_url):
    models = [ModelSet("press", (), "press.migrations", logs=(LOG,))]
    user = await asyncpg.connect(press_url)
    await user.execute(TABLES)

    async def check():
        return await check_partitions(user, models)

    before = await check()
    async with open_session(press_url) as session:
        assert [line async for line in conversion.convert(session, LOG, NOVEMBER, 5.0)]
    with_room = await check()
    await user.execute("SELECT setval('press_log_id_seq', $1)", MAX_ID)
    without_room = await check()
    await user.close()

    assert before == []
    assert with_room == [("press_log has 3 partitions, 2 of them ahead", None)]
    assert without_room == [("press_log has 3 partitions, 0 of them ahead", ADVICE)]
