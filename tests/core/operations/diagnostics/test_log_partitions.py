"""Checks of partitioned log tables."""

from dataclasses import replace

import asyncpg
import pytest
from comanda.contracts.model_sets import ModelSet
from comanda.operations.diagnostics.log_partitions import check_partitions
from comanda.operations.diagnostics.results import CheckStatus
from comanda.platform.db.partitions import conversion
from comanda.platform.db.partitions.sessions import open_session
from press_log import LOG, NOVEMBER, TABLES

# The last id of the two partitions ahead.
MAX_ID = 39_999_999


@pytest.fixture
def press_url(new_database):
    return new_database("comanda_test_partition_checks")


@pytest.fixture
def registry(runtime):
    return replace(runtime.registry, models=(ModelSet("press", (), "press.migrations", logs=(LOG,)),))


async def test_partitioned_table_without_room_ahead_is_a_problem(press_url, registry):
    user = await asyncpg.connect(press_url)
    await user.execute(TABLES)

    async def check():
        return [(result.status, result.found) async for result in check_partitions(user, registry)]

    before = await check()
    async with open_session(press_url) as session:
        assert [line async for line in conversion.convert(session, LOG, NOVEMBER, 5.0)]
    with_room = await check()
    await user.execute("SELECT setval('press_log_id_seq', $1)", MAX_ID)
    without_room = await check()
    await user.close()

    assert before == []
    assert with_room == [(CheckStatus.OK, "press_log has 3, 2 of them ahead")]
    assert without_room == [(CheckStatus.PROBLEM, "press_log has 3, 0 of them ahead")]
