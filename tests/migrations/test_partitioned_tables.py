"""The same migrations apply to a table in partitions."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, await_condition
from comanda_migrations import table_locks
from comanda_migrations.runner import migrate
from migration_files import app_of, connected, start_migrate, write_file

PARTITIONED = """
    CREATE TABLE press_vat (id bigint PRIMARY KEY, size int) PARTITION BY RANGE (id);
    CREATE TABLE press_vat_2026_11 PARTITION OF press_vat FOR VALUES FROM (MINVALUE) TO (10);
    CREATE TABLE press_vat_2026_12 PARTITION OF press_vat FOR VALUES FROM (10) TO (20);
    INSERT INTO press_vat VALUES (1, 1), (11, 1);
"""
CREATE_INDEX = "CREATE INDEX CONCURRENTLY IF NOT EXISTS press_vat_size ON press_vat (size) WHERE size > 0;"
DROP_INDEX = "DROP INDEX CONCURRENTLY IF EXISTS press_vat_size;"
INDEXES = """
    SELECT indexrelid::regclass::text, indisvalid FROM pg_index
    WHERE indexrelid::regclass::text LIKE '%size%' ORDER BY 1
"""
ALL_VALID = [("press_vat_size", True), ("press_vat_size_2026_11", True), ("press_vat_size_2026_12", True)]
IN_PROGRESS = "SELECT count(*) FROM pg_stat_progress_create_index"


@pytest.fixture
async def vats(database: str, apps: Path) -> str:
    """A database with a table in two partitions."""
    write_file(apps, "press", "0_1_init.py", PARTITIONED)
    await migrate(database, [app_of("press")])
    return database


def write_statements(apps: Path, version: str, sql: str) -> None:
    write_file(apps, "press", version, sql)
    file = apps / "press" / "migrations" / version
    file.write_text(file.read_text() + "RUN_IN_TRANSACTION = False\n")


async def indexes(database: str) -> list[tuple[str, bool]]:
    async with connected(database) as connection:
        return [tuple(row) for row in await connection.fetch(INDEXES)]


async def wait_until(database: str, query: str, wanted: int) -> None:
    async with connected(database) as connection:

        async def is_reached() -> bool:
            return bool(await connection.fetchval(query) == wanted)

        await await_condition(is_reached, f"{wanted} from {query}")


async def test_index_is_created_in_each_partition_and_dropped(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX)
    await migrate(vats, [app_of("press")])
    assert await indexes(vats) == ALL_VALID

    write_statements(apps, "2_3_no_size.py", DROP_INDEX)
    await migrate(vats, [app_of("press")])
    assert await indexes(vats) == []


async def test_columns_and_checks_reach_each_partition(vats: str, apps: Path) -> None:
    check = "ALTER TABLE press_vat ADD CONSTRAINT big CHECK (size > 0) NOT VALID;"
    write_file(apps, "press", "1_2_check.py", f"ALTER TABLE press_vat ADD note text NOT NULL DEFAULT '';{check}")
    write_statements(apps, "2_3_validate.py", "ALTER TABLE press_vat VALIDATE CONSTRAINT big;")

    await migrate(vats, [app_of("press")])

    async with connected(vats) as connection:
        assert [row["note"] for row in await connection.fetch("SELECT note FROM press_vat_2026_12")] == [""]
        valid = await connection.fetch("SELECT convalidated FROM pg_constraint WHERE conname = 'big'")
    assert [row[0] for row in valid] == [True] * 3


async def test_rows_are_written_while_the_index_is_created_and_after_a_kill_it_goes_on(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX)
    async with connected(vats) as writer, connected(vats) as other:
        writing = writer.transaction()
        await writing.start()
        # The second partition waits for this transaction, the first does not.
        await writer.execute("INSERT INTO press_vat_2026_12 VALUES (12, 1)")
        process = await start_migrate(vats, "press")
        await wait_until(vats, IN_PROGRESS, 1)
        await other.execute("INSERT INTO press_vat VALUES (13, 1), (2, 1)", timeout=MAX_WAIT_SECONDS)
        os.kill(process.pid, signal.SIGKILL)
        await process.communicate()
        await wait_until(vats, IN_PROGRESS, 0)
        await writing.commit()
    assert ("press_vat_size", False) in await indexes(vats)

    assert len(await migrate(vats, [app_of("press")])) == 1

    assert await indexes(vats) == ALL_VALID


async def test_index_waits_for_a_writer_without_holding_up_others(
    vats: str, apps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_locks, "TABLE_LOCK_SECONDS", 0.1)
    monkeypatch.setattr(table_locks, "TABLE_LOCK_PAUSE_SECONDS", 0.2)
    write_statements(apps, "1_2_size.py", DROP_INDEX + "\n" + CREATE_INDEX)
    async with connected(vats) as writer, connected(vats) as other:
        writing = writer.transaction()
        await writing.start()
        await writer.execute("INSERT INTO press_vat VALUES (12, 1)")
        migrating = asyncio.create_task(migrate(vats, [app_of("press")]))
        for number in range(13, 18):
            await other.execute("INSERT INTO press_vat VALUES ($1, 1)", number, timeout=MAX_WAIT_SECONDS)
            await asyncio.sleep(0.1)
        is_waiting = not migrating.done()
        await writing.commit()
        await asyncio.wait_for(migrating, MAX_WAIT_SECONDS)

    assert is_waiting
    assert await indexes(vats) == ALL_VALID


async def test_unique_index_without_the_key_of_partitions_is_refused(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX.replace("INDEX", "UNIQUE INDEX", 1))

    with pytest.raises(Exception, match=r"1_2_size\.py failed: unique constraint on partitioned table"):
        await migrate(vats, [app_of("press")])

    assert await indexes(vats) == []
