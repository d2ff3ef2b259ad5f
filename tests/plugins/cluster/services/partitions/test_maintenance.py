"""Partitions are created ahead, take the rows of their period, and go when nothing in them is kept."""

import asyncio
from datetime import UTC, datetime

import pytest
from comanda_cluster.services.partitions.catalog import read_state
from press_log import INSERT, LOG, NOVEMBER

DECEMBER = datetime(2026, 12, 3, tzinfo=UTC)
LATE_DECEMBER = datetime(2026, 12, 20, tzinfo=UTC)
JANUARY = datetime(2027, 1, 12, tzinfo=UTC)
IS_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%DETACH%' AND wait_event_type = 'Lock'"
PARTITION_OF = "SELECT tableoid::regclass::text FROM press_log WHERE id = $1"


async def partition_of(press, row_id):
    return await press.user.fetchval(PARTITION_OF, row_id)


@pytest.fixture
async def converted(press):
    await press.insert(NOVEMBER, 3)
    await press.convert()
    return press


async def test_each_month_has_its_partition(converted):
    assert await converted.maintain(NOVEMBER) == []

    assert await converted.maintain(DECEMBER) == ["created press_log_2027_02", "began press_log_2026_12"]
    (later,) = await converted.insert(DECEMBER)

    assert await partition_of(converted, later) == "press_log_2026_12"
    assert await partition_of(converted, 1) == "press_log_2026_11"
    assert await converted.maintain(DECEMBER) == []


async def test_old_partition_is_detached_and_dropped_by_the_next_run(converted):
    await converted.maintain(DECEMBER)
    (kept,) = await converted.insert(DECEMBER)

    assert await converted.maintain(datetime(2026, 12, 10, tzinfo=UTC)) == []
    assert await converted.maintain(datetime(2026, 12, 12, tzinfo=UTC)) == ["detached press_log_2026_11"]
    assert (await converted.rows(), await converted.rows("press_log_2026_11")) == (1, 3)
    assert await converted.maintain(datetime(2026, 12, 12, tzinfo=UTC)) == ["dropped press_log_2026_11"]

    assert await converted.user.fetchval("SELECT to_regclass('press_log_2026_11')") is None
    assert await partition_of(converted, kept) == "press_log_2026_12"


async def test_partition_with_one_row_that_is_kept_stays(converted):
    await converted.user.execute("INSERT INTO press_note VALUES (1, 2, 1)")
    await converted.maintain(DECEMBER)

    assert await converted.maintain(LATE_DECEMBER) == []
    await converted.user.execute("DELETE FROM press_note")
    assert await converted.maintain(LATE_DECEMBER) == ["detached press_log_2026_11"]


async def test_detached_table_with_rows_that_are_kept_is_not_dropped(converted):
    await converted.maintain(DECEMBER)
    await converted.user.execute("ALTER TABLE press_log DETACH PARTITION press_log_2026_11")
    await converted.user.execute("UPDATE press_log_2026_11 SET written_at = $1 WHERE id = 3", DECEMBER)

    assert await converted.maintain(DECEMBER) == []
    assert await converted.rows("press_log_2026_11") == 3


async def test_months_without_a_worker_are_skipped(converted):
    lines = await converted.maintain(datetime(2027, 5, 1, tzinfo=UTC))

    months = ["press_log_2027_02", "press_log_2027_05", "press_log_2027_06", "press_log_2027_07"]
    assert lines[:5] == [*(f"created {month}" for month in months[1:]), "began press_log_2027_05", lines[4]]
    (row_id,) = await converted.insert(datetime(2027, 5, 1, tzinfo=UTC))
    assert await partition_of(converted, row_id) == "press_log_2027_05"


async def test_more_rows_than_expected_go_on_in_the_next_partition(converted):
    await converted.user.execute("SELECT setval('press_log_id_seq', $1)", (await state(converted)).partitions[1].lower)

    assert await converted.maintain(NOVEMBER) == ["created press_log_2027_02"]
    (row_id,) = await converted.insert(NOVEMBER)

    assert await partition_of(converted, row_id) == "press_log_2026_12"
    assert await converted.maintain(DECEMBER) == []
    assert await converted.insert(DECEMBER) == [row_id + 1]


async def state(press):
    return await read_state(press.session, LOG)


async def test_partitions_grow_with_the_rows(converted):
    await converted.user.execute("UPDATE pg_class SET reltuples = 30000000 WHERE relname = 'press_log_2026_11'")

    await converted.maintain(DECEMBER)

    created = (await state(converted)).partitions[-1]
    assert (created.name, created.upper - created.lower) == ("press_log_2027_02", 120_000_000)


async def test_ids_are_given_once_while_the_sequence_is_moved(converted):
    ids = []
    is_moved = asyncio.Event()

    async def insert_rows():
        async with converted.other() as other:
            while not is_moved.is_set():
                ids.append(await other.fetchval(INSERT, DECEMBER))
            ids.append(await other.fetchval(INSERT, DECEMBER))

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(insert_rows())
        await asyncio.sleep(0.05)
        await converted.maintain(DECEMBER)
        is_moved.set()

    assert len(ids) == len(set(ids))
    assert await partition_of(converted, max(ids)) == "press_log_2026_12"
    assert await partition_of(converted, min(ids)) == "press_log_2026_11"


async def test_interrupted_detachment_is_finished(converted):
    await converted.maintain(DECEMBER)
    async with converted.other() as reader:
        reading = reader.transaction()
        await reading.start()
        await reader.fetch("SELECT * FROM press_log")
        with pytest.raises(Exception, match="lock timeout"):
            await converted.session.execute("ALTER TABLE press_log DETACH PARTITION press_log_2026_11 CONCURRENTLY")
        # Others no longer see its rows, and write on.
        await converted.insert(DECEMBER)
        assert await converted.rows() == 1
        await reading.rollback()

    assert await converted.maintain(datetime(2026, 12, 4, tzinfo=UTC)) == ["detached press_log_2026_11"]
    assert (
        await converted.user.fetchval("SELECT relispartition FROM pg_class WHERE relname = 'press_log_2026_11'")
        is False
    )


async def test_nobody_waits_for_the_end_of_a_partition_that_is_read(converted):
    await converted.maintain(DECEMBER)
    async with converted.other() as reader:
        reading = reader.transaction()
        await reading.start()
        await reader.fetch("SELECT * FROM press_log")
        retiring = asyncio.create_task(converted.maintain(JANUARY))
        await converted.wait_for(IS_WAITING)
        # A statement that waited for a lock would be cancelled.
        await converted.user.execute("SET lock_timeout = '100ms'")
        await converted.insert(DECEMBER, 5)
        is_waiting = not retiring.done()
        await reading.rollback()
    lines = await retiring

    assert is_waiting
    assert "detached press_log_2026_11" in lines


async def test_one_partition_is_read_for_one_id(converted):
    plan = await converted.user.fetch("EXPLAIN SELECT * FROM press_log WHERE id = 2 AND owner_id = 1")

    found = "\n".join(row[0] for row in plan)
    assert "press_log_2026_11" in found
    assert "press_log_2026_12" not in found
