"""The migration runner on a real PostgreSQL, with processes that start at once and processes that are killed."""

import asyncio
import importlib
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from aerich.utils import decompress_dict
from comanda.contracts.data.model_sets import ModelSet
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, await_condition
from comanda_migrations.differences import differences
from comanda_migrations.runner import (
    AppliedStep,
    HistoryState,
    MigrationError,
    history_state,
    migrate,
    pending,
)
from migration_files import app_of, connected, start_migrate, write_file

SAMPLE = Path(__file__).parent / "sample"
ORCHARD = ModelSet("orchard", ("orchard.models",), "orchard.migrations")
ORCHARD_FILES = ("0_20260105090000_init.py", "1_20260212090000_add_grafted.py")


async def recorded(database: str) -> list[tuple[str, str]]:
    async with connected(database) as connection:
        return [(row[0], row[1]) for row in await connection.fetch("SELECT app, version FROM aerich ORDER BY id")]


async def tables(database: str) -> set[str]:
    async with connected(database) as connection:
        found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {row[0] for row in found} - {"aerich"}


async def wait_until_asleep(database: str) -> None:
    async with connected(database) as connection:
        asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        await await_condition(lambda: connection.fetchval(asleep), "a migration in its pg_sleep")


async def test_the_sample_is_applied_once_and_the_tables_agree_with_its_models(database: str, apps: Path) -> None:
    assert [step.version for step in await pending(database, [ORCHARD])] == list(ORCHARD_FILES)
    assert await tables(database) == set()

    applied = await migrate(database, [ORCHARD])

    assert [(step.app, step.version) for step in applied] == [("orchard", version) for version in ORCHARD_FILES]
    assert all(isinstance(step, AppliedStep) and step.seconds >= 0 for step in applied)
    assert await tables(database) == {"orchard_tree", "orchard_picking"}
    assert await pending(database, [ORCHARD]) == []
    assert await migrate(database, [ORCHARD]) == []
    assert await differences(database, [ORCHARD]) == []


async def test_the_record_is_one_that_aerich_reads(database: str, apps: Path) -> None:
    await migrate(database, [ORCHARD])
    last = importlib.import_module("orchard.migrations." + ORCHARD_FILES[-1].removesuffix(".py"))
    async with connected(database) as connection:
        content = json.loads(await connection.fetchval("SELECT content FROM aerich ORDER BY id DESC LIMIT 1"))
    assert content == decompress_dict(last.MODELS_STATE)
    assert {model["table"] for model in content.values()} == {"orchard_tree", "orchard_picking"}


async def test_core_comes_first_and_the_rest_in_the_given_order(database: str, apps: Path) -> None:
    for name in ("core", "press", "cellar"):
        write_file(apps, f"{name}app", "0_1_init.py", f"CREATE TABLE {name} (id int);")
    histories = [ModelSet(name, (), f"{name}app.migrations") for name in ("press", "cellar", "core")]
    assert [step.app for step in await migrate(database, histories)] == ["core", "press", "cellar"]


async def test_files_are_ordered_by_number_not_by_name(database: str, apps: Path) -> None:
    for number in (10, 9, 2):
        write_file(apps, "press", f"{number}_1_step.py", f"CREATE TABLE press_{number} (id int);")
    assert [step.version for step in await migrate(database, [app_of("press")])] == [
        "2_1_step.py",
        "9_1_step.py",
        "10_1_step.py",
    ]


async def test_processes_that_start_at_once_apply_every_file_once(database: str, apps: Path) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int); SELECT pg_sleep(0.5);")
    processes = [await start_migrate(database, "press", "orchard") for _ in range(3)]
    said = [(await process.communicate())[0].decode().splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    everything = ["press 0_1_init.py", *(f"orchard {version}" for version in ORCHARD_FILES)]
    assert sorted(said) == [[], [], everything]
    assert len(await recorded(database)) == 3


async def test_killed_in_the_middle_it_leaves_a_whole_step_and_the_next_start_goes_on(
    database: str, apps: Path
) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int);")
    write_file(
        apps,
        "press",
        "1_2_long.py",
        "CREATE TABLE press_barrel (id int); "
        "SELECT pg_sleep(CASE WHEN to_regclass('be_quick') IS NULL THEN 600 ELSE 0 END);",
    )
    process = await start_migrate(database, "press")
    await wait_until_asleep(database)
    os.kill(process.pid, signal.SIGKILL)
    await process.communicate()

    assert await recorded(database) == [("press", "0_1_init.py")]
    assert await tables(database) == {"press_vat"}
    async with connected(database) as connection:
        await connection.execute("CREATE TABLE be_quick ()")

    # Far sooner than the sleep would have ended: the server noticed that its client was gone.
    applied = await asyncio.wait_for(migrate(database, [app_of("press")]), MAX_WAIT_SECONDS)
    assert [step.version for step in applied] == ["1_2_long.py"]
    assert await tables(database) == {"press_vat", "press_barrel", "be_quick"}


async def test_a_file_that_fails_is_named_and_leaves_no_trace(database: str, apps: Path) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int);")
    write_file(apps, "press", "1_2_bad.py", "CREATE TABLE press_barrel (id int); SELECT 1/0;")
    with pytest.raises(MigrationError, match=r"press\.migrations/1_2_bad\.py failed and changed nothing: division by"):
        await migrate(database, [app_of("press"), ORCHARD])
    assert await recorded(database) == [("press", "0_1_init.py")]
    assert await tables(database) == {"press_vat"}

    write_file(apps, "press", "1_2_bad.py", "CREATE TABLE press_barrel (id int);")
    sys.modules.pop("press.migrations.1_2_bad")
    assert len(await migrate(database, [app_of("press"), ORCHARD])) == 3


async def test_a_file_may_read_rows_through_aerichs_client_in_the_same_transaction(database: str, apps: Path) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int); INSERT INTO press_vat VALUES (7);")
    write_file(
        apps,
        "press",
        "1_2_copy.py",
        "INSERT INTO press_vat VALUES (8);",
        before=(
            'await db.execute_script("INSERT INTO press_vat VALUES (1); INSERT INTO press_vat VALUES (2)"); '
            '_, rows = await db.execute_query("SELECT sum(id) AS total FROM press_vat WHERE id > $1", [1]); '
            "assert rows[0]['total'] == 9"
        ),
    )
    write_file(
        apps,
        "press",
        "2_3_fail.py",
        "SELECT 1/0",
        before='await db.execute_insert("INSERT INTO press_vat VALUES ($1)", [99])',
    )
    with pytest.raises(MigrationError, match="2_3_fail"):
        await migrate(database, [app_of("press")])
    async with connected(database) as connection:
        assert [row[0] for row in await connection.fetch("SELECT id FROM press_vat ORDER BY id")] == [1, 2, 7, 8]


async def test_an_app_added_later_is_applied_then(database: str, apps: Path) -> None:
    await migrate(database, [ORCHARD])
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int);")
    assert [step.app for step in await migrate(database, [app_of("press"), ORCHARD])] == ["press"]


async def test_an_app_that_was_removed_keeps_its_rows_and_goes_on_when_it_is_put_back(
    database: str, apps: Path
) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int); INSERT INTO press_vat VALUES (7);")
    await migrate(database, [ORCHARD, app_of("press")])

    assert await migrate(database, [ORCHARD]) == []
    assert await history_state(database, [ORCHARD]) == [
        HistoryState("orchard", installed=True, applied=ORCHARD_FILES, pending=(), missing=()),
        HistoryState("press", installed=False, applied=("0_1_init.py",), pending=(), missing=("0_1_init.py",)),
    ]

    write_file(apps, "press", "1_2_more.py", "INSERT INTO press_vat VALUES (8);")
    assert [step.version for step in await migrate(database, [ORCHARD, app_of("press")])] == ["1_2_more.py"]
    async with connected(database) as connection:
        assert await connection.fetchval("SELECT array_agg(id ORDER BY id) FROM press_vat") == [7, 8]


async def test_a_database_newer_than_the_installed_app_is_refused_before_anything_is_applied(
    database: str, apps: Path
) -> None:
    await migrate(database, [ORCHARD])
    (apps / "orchard" / "migrations" / ORCHARD_FILES[1]).unlink()
    importlib.invalidate_caches()
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int);")

    with pytest.raises(
        MigrationError, match=f"newer than the installed orchard.*{ORCHARD_FILES[1]}.*{ORCHARD_FILES[0]}"
    ):
        await migrate(database, [app_of("press"), ORCHARD])
    with pytest.raises(MigrationError, match="newer than the installed orchard"):
        await pending(database, [app_of("press"), ORCHARD])
    assert await tables(database) == {"orchard_tree", "orchard_picking"}
    assert (await history_state(database, [ORCHARD]))[0].missing == (ORCHARD_FILES[1],)


async def test_an_applied_file_that_was_renamed_is_refused(database: str, apps: Path) -> None:
    await migrate(database, [ORCHARD])
    folder = apps / "orchard" / "migrations"
    (folder / ORCHARD_FILES[0]).rename(folder / "0_20260105090000_start.py")
    importlib.invalidate_caches()
    with pytest.raises(MigrationError, match=f"{ORCHARD_FILES[0]} of orchard, which is not among the installed files"):
        await migrate(database, [ORCHARD])


async def test_a_database_whose_first_file_is_another_is_refused_with_what_to_do(database: str, apps: Path) -> None:
    await migrate(database, [ORCHARD])
    folder = apps / "orchard" / "migrations"
    (folder / ORCHARD_FILES[0]).rename(folder / "0_20260301090000_init.py")
    (folder / ORCHARD_FILES[1]).unlink()
    importlib.invalidate_caches()
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int);")

    for apply in (migrate, pending):
        with pytest.raises(MigrationError, match=r"unreleased version of orchard.*comanda run --data") as refused:
            await apply(database, [app_of("press"), ORCHARD])
        assert ORCHARD_FILES[0] in str(refused.value)
    assert "press_vat" not in await tables(database)


async def test_files_that_cannot_be_one_transaction_are_refused(database: str, apps: Path) -> None:
    write_file(apps, "press", "0_1_init.py", "CREATE TABLE press_vat (id int); COMMIT;")
    with pytest.raises(MigrationError, match="ends the transaction"):
        await migrate(database, [app_of("press")])
    write_file(apps, "cellar", "0_1_init.py", "CREATE TABLE cellar_shelf (id int);")
    file = apps / "cellar" / "migrations" / "0_1_init.py"
    file.write_text(file.read_text() + "RUN_IN_TRANSACTION = False\n")
    with pytest.raises(MigrationError, match="outside a transaction"):
        await migrate(database, [app_of("cellar")])
    assert "cellar_shelf" not in await tables(database)


async def test_a_models_state_that_an_edit_has_damaged_is_refused(database: str, apps: Path) -> None:
    file = apps / "orchard" / "migrations" / ORCHARD_FILES[0]
    text = file.read_text()
    at = text.index('MODELS_STATE = (\n    "') + 60
    file.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
    with pytest.raises(MigrationError, match="readable MODELS_STATE"):
        await migrate(database, [ORCHARD])
    assert await tables(database) == set()


async def test_wrong_declarations_are_named(database: str, apps: Path) -> None:
    with pytest.raises(MigrationError, match="orchard"):
        await migrate(database, [ORCHARD, ORCHARD])
    with pytest.raises(MigrationError, match=r"nowhere\.migrations cannot be imported"):
        await migrate(database, [app_of("nowhere")])
    write_file(apps, "press", "0_1_init.py", "SELECT 1")
    write_file(apps, "press", "0_2_again.py", "SELECT 1")
    with pytest.raises(MigrationError, match="same number"):
        await migrate(database, [app_of("press")])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("DROP TABLE orchard_picking", "Table orchard_picking is missing: a model has it, no migration makes it."),
        ("CREATE TABLE orchard_ladder (id int)", "Table orchard_ladder is in the database, but no model has it."),
        (
            "ALTER TABLE orchard_tree DROP COLUMN variety",
            "Column orchard_tree.variety is missing: the model has it as character varying(60).",
        ),
        (
            "ALTER TABLE orchard_tree ADD bark text",
            "Column orchard_tree.bark is in the database, but the model does not have it.",
        ),
        (
            "ALTER TABLE orchard_tree ALTER variety TYPE varchar(61)",
            "Column orchard_tree.variety is character varying(61); the model says character varying(60).",
        ),
        (
            "ALTER TABLE orchard_tree ALTER variety DROP NOT NULL",
            "Column orchard_tree.variety may be null; the model says otherwise.",
        ),
        (
            "ALTER TABLE orchard_tree ALTER planted_at SET NOT NULL",
            "Column orchard_tree.planted_at may not be null; the model says otherwise.",
        ),
        (
            "ALTER TABLE orchard_tree ALTER rows_planted DROP DEFAULT",
            "Column orchard_tree.rows_planted has the default None; the model says 1.",
        ),
        (
            "ALTER TABLE orchard_tree ALTER id DROP IDENTITY",
            "Column orchard_tree.id has no sequence, and the model leaves its numbers to the database.",
        ),
        (
            "DROP INDEX orchard_picking_tree",
            (
                "Foreign key orchard_picking_tree_id_owner_id_fkey of orchard_picking (tree_id, owner_id) "
                "has no index that serves it."
            ),
        ),
    ],
)
async def test_a_difference_is_found_and_said(database: str, apps: Path, change: str, sentence: str) -> None:
    await migrate(database, [ORCHARD])
    async with connected(database) as connection:
        await connection.execute(change)
    assert await differences(database, [ORCHARD]) == [sentence]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE orchard_tree ADD search tsvector GENERATED ALWAYS AS (to_tsvector('simple', variety)) STORED",
        "ALTER TABLE orchard_tree ALTER variety SET DEFAULT 'apple'",
        "CREATE UNIQUE INDEX one_variety ON orchard_tree (owner_id, variety)",
        "CREATE TABLE press_vat (id int)",
        "DROP INDEX orchard_picking_tree; CREATE INDEX ON orchard_picking (tree_id, weight_g)",
        "DROP INDEX orchard_picking_tree; CREATE INDEX ON orchard_picking (tree_id) WHERE tree_id IS NOT NULL",
    ],
)
async def test_what_only_sql_can_say_is_no_difference(database: str, apps: Path, change: str) -> None:
    await migrate(database, [ORCHARD])
    async with connected(database) as connection:
        await connection.execute(change)
    assert await differences(database, [ORCHARD]) == []


@pytest.mark.parametrize(
    "index",
    ["(owner_id, weight_g, tree_id)", "(weight_g, tree_id)", "(tree_id) WHERE weight_g > 5"],
)
async def test_an_index_that_does_not_serve_a_foreign_key_does_not_count(database: str, apps: Path, index: str) -> None:
    await migrate(database, [ORCHARD])
    async with connected(database) as connection:
        await connection.execute(f"DROP INDEX orchard_picking_tree; CREATE INDEX ON orchard_picking {index}")
    assert len(await differences(database, [ORCHARD])) == 1
