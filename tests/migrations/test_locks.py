"""Migrations beside orders: none waits long for a lock, and indexes are created while rows are written."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, await_condition
from comanda_migrations import table_locks
from comanda_migrations.runner import MigrationError, migrate
from migration_files import app_of, connected, start_migrate, write_file

ADD_COLUMN = "ALTER TABLE press_vat ADD note text;"
CREATE_INDEX = "CREATE INDEX CONCURRENTLY IF NOT EXISTS press_vat_size ON press_vat (size);"
IS_WAITING_FOR_LOCK = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
ARE_WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock%' AND state = 'idle'
"""
IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('press_vat_size')"


@pytest.fixture
async def vats(database: str, apps: Path) -> str:
    """A database with a table of an app."""
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int PRIMARY KEY, size int);")
    await migrate(database, [app_of("press")])
    return database


def write_statements(apps: Path, version: str, sql: str) -> None:
    write_file(apps, "press", version, sql)
    file = apps / "press" / "migrations" / version
    file.write_text(file.read_text() + "RUN_IN_TRANSACTION = False\n")


async def test_a_migration_does_not_hold_up_others_while_a_table_is_locked(
    vats: str, apps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_locks, "TABLE_LOCK_SECONDS", 0.1)
    monkeypatch.setattr(table_locks, "TABLE_LOCK_PAUSE_SECONDS", 0.2)
    write_file(apps, "press", "1_2_note.py", f"CREATE TABLE press_label (id int);{ADD_COLUMN}")
    async with connected(vats) as reader, connected(vats) as orders:
        # A report that reads for long.
        report = reader.transaction()
        await report.start()
        await reader.fetch("SELECT * FROM press_vat")
        migrating = asyncio.create_task(migrate(vats, [app_of("press")]))
        for number in range(5):
            # Behind a lock that is waited for; it is given up, or this would wait for the report, too.
            await wait_for(vats, IS_WAITING_FOR_LOCK)
            await orders.execute("INSERT INTO press_vat VALUES ($1)", number, timeout=MAX_WAIT_SECONDS)
        is_waiting = not migrating.done()
        await report.rollback()
        applied = await asyncio.wait_for(migrating, MAX_WAIT_SECONDS)

    assert is_waiting
    assert [step.version for step in applied] == ["1_2_note.py"]


async def test_a_table_that_stays_locked_ends_the_migration(
    vats: str, apps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_locks, "TABLE_LOCK_SECONDS", 0.05)
    monkeypatch.setattr(table_locks, "TABLE_LOCK_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(table_locks, "MAX_TABLE_LOCK_SECONDS", 0.3)
    write_file(apps, "press", "1_2_note.py", ADD_COLUMN)
    async with connected(vats) as reader, reader.transaction():
        await reader.fetch("SELECT * FROM press_vat")
        with pytest.raises(MigrationError, match=r"1_2_note\.py changed nothing: .* have locked a table"):
            await migrate(vats, [app_of("press")])

    assert len(await migrate(vats, [app_of("press")])) == 1


async def test_an_index_is_created_while_rows_are_written(vats: str, apps: Path) -> None:
    write_statements(
        apps,
        "1_2_size.py",
        f"-- Lists by size; they are long.\n{CREATE_INDEX}\nDROP INDEX CONCURRENTLY IF EXISTS press_vat_old;",
    )
    async with connected(vats) as writer:
        writing = writer.transaction()
        await writing.start()
        await writer.execute("INSERT INTO press_vat VALUES (1, 1)")
        migrating = asyncio.create_task(migrate(vats, [app_of("press")]))
        await wait_for(vats, "SELECT count(*) FROM pg_stat_progress_create_index")
        async with connected(vats) as other:
            await other.execute("INSERT INTO press_vat VALUES (2, 2)", timeout=MAX_WAIT_SECONDS)
        await writing.commit()
        applied = await asyncio.wait_for(migrating, MAX_WAIT_SECONDS)
        assert await writer.fetchval(IS_VALID)

    assert [step.version for step in applied] == ["1_2_size.py"]
    assert await migrate(vats, [app_of("press")]) == []


async def test_killed_while_an_index_is_created_the_next_start_creates_it(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX)
    async with connected(vats) as writer:
        writing = writer.transaction()
        await writing.start()
        await writer.execute("INSERT INTO press_vat VALUES (1, 1)")
        process = await start_migrate(vats, "press")
        await wait_for(vats, "SELECT count(*) FROM pg_stat_progress_create_index")
        os.kill(process.pid, signal.SIGKILL)
        await process.communicate()
        await wait_for(vats, "SELECT 1 - count(*) FROM pg_stat_progress_create_index")
        await writing.commit()
        assert await writer.fetchval(IS_VALID) is False

        applied = await migrate(vats, [app_of("press")])

        assert await writer.fetchval(IS_VALID)
    assert [step.version for step in applied] == ["1_2_size.py"]


async def test_processes_that_wait_do_not_keep_an_index_from_being_created(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX)
    async with connected(vats) as writer:
        writing = writer.transaction()
        await writing.start()
        await writer.execute("INSERT INTO press_vat VALUES (1, 1)")
        processes = [await start_migrate(vats, "press") for _ in range(2)]
        await wait_for(vats, "SELECT count(*) FROM pg_stat_progress_create_index")
        await wait_for(vats, ARE_WAITING)
        await writing.commit()
    said = [
        (await asyncio.wait_for(process.communicate(), MAX_WAIT_SECONDS))[0].decode().split() for process in processes
    ]

    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(said) == [[], ["press", "1_2_size.py"]]


async def test_a_constraint_is_validated_in_a_file_of_its_own(vats: str, apps: Path) -> None:
    write_file(apps, "press", "1_2_check.py", "ALTER TABLE press_vat ADD CONSTRAINT big CHECK (size > 0) NOT VALID;")
    write_statements(apps, "2_3_validate.py", "ALTER TABLE press_vat\n    VALIDATE CONSTRAINT big;")

    assert len(await migrate(vats, [app_of("press")])) == 2

    async with connected(vats) as connection:
        assert await connection.fetchval("SELECT convalidated FROM pg_constraint WHERE conname = 'big'")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX CONCURRENTLY press_vat_size ON press_vat (size);",
        "CREATE INDEX press_vat_size ON press_vat (size);",
        "DROP INDEX CONCURRENTLY IF EXISTS press_vat_size, press_vat_pkey;",
        "UPDATE press_vat SET size = size + 1;",
        f"{CREATE_INDEX}\nCREATE TABLE press_barrel (id int);",
    ],
)
async def test_what_cannot_be_repeated_is_refused_outside_a_transaction(vats: str, apps: Path, statement: str) -> None:
    write_statements(apps, "1_2_size.py", statement)

    with pytest.raises(MigrationError, match="outside a transaction"):
        await migrate(vats, [app_of("press")])

    async with connected(vats) as connection:
        assert await connection.fetchval("SELECT to_regclass('press_vat_size')") is None


async def test_an_index_that_rows_refuse_is_named(vats: str, apps: Path) -> None:
    write_statements(apps, "1_2_size.py", CREATE_INDEX.replace("INDEX", "UNIQUE INDEX", 1))
    async with connected(vats) as connection:
        await connection.execute("INSERT INTO press_vat VALUES (1, 1), (2, 1)")
        with pytest.raises(MigrationError, match=r"1_2_size\.py failed: could not create unique index"):
            await migrate(vats, [app_of("press")])
        await connection.execute("DELETE FROM press_vat WHERE id = 2")

        assert len(await migrate(vats, [app_of("press")])) == 1
        assert await connection.fetchval(IS_VALID)


async def wait_for(database: str, query: str) -> None:
    """Wait until a query returns a number other than 0."""
    async with connected(database) as connection:
        await await_condition(lambda: connection.fetchval(query), query)
