"""Drafts of migrations: what an author of models gets, held against the rules for tables and for locks."""

import asyncio
import importlib
import sys
from pathlib import Path

import pytest
from comanda.contracts.data.model_sets import ModelSet
from comanda.devkit.authoring.tables import check_tables
from comanda_migrations.differences import differences
from comanda_migrations.generate import empty_migration, new_migration
from comanda_migrations.history import steps
from comanda_migrations.runner import MigrationError, migrate
from migration_rules import check_app

ORCHARD = ModelSet("orchard", ("orchard.models",), "orchard.migrations")
HIRE = ModelSet("hire", ("hire.models",), "hire.migrations")
CORE = ModelSet("core", (), "comanda_migrations.core")
MODELS = """
from tortoise import fields
from tortoise.models import Model


class Tool(Model):
    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    code = fields.CharField(max_length=20, unique=True)
    count = fields.IntField(db_default=1)
    # more fields of tools

    class Meta:
        table = "hire_tool"
        unique_together = (("store_id", "count"),)


class Loan(Model):
    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    tool = fields.ForeignKeyField("hire.Tool", related_name="loans")
    spare = fields.ForeignKeyField("hire.Tool", related_name="spares", null=True, on_delete=fields.SET_NULL)
    note = fields.CharField(max_length=20, null=True)
    # more fields of loans

    class Meta:
        table = "hire_loan"


class Terms(Model):
    owner_id = fields.BigIntField(primary_key=True, generated=False)
    days = fields.IntField()

    class Meta:
        table = "hire_terms"
"""
ADDED = """
    weight_g = fields.IntField(db_default=3)
    sku = fields.CharField(max_length=9, unique=True, null=True)
    place = fields.CharField(max_length=9, db_default="yard", db_index=True)
    item_id = fields.BigIntField(null=True)
"""


@pytest.fixture
def hire(apps: Path) -> Path:
    """The folder of an app with two related models and no migration."""
    folder = apps / "hire"
    (folder / "migrations").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "models.py").write_text(MODELS)
    return folder


def edit(file: Path, *replacements: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)


async def draft(models: ModelSet, name: str) -> list[str]:
    """Generate the next migration and return the names of its files, without the time."""
    written = await asyncio.to_thread(new_migration, models, name)
    forget(models)
    return ["_".join([path.stem.split("_")[0], *path.stem.split("_")[2:]]) for path in written]


def forget(models: ModelSet) -> None:
    for name in [name for name in sys.modules if name.startswith(models.migrations)]:
        del sys.modules[name]
    importlib.invalidate_caches()


async def find_lasting_locks() -> list[list[str]]:
    """Return what is found in the files of the app, in their order."""
    scripts = [step.load() for step in steps(HIRE)]
    return check_app([(await script.upgrade(None), script.is_transaction) for script in scripts])  # type: ignore[arg-type]


async def test_draft_keeps_the_rules_for_tables(database: str, hire: Path) -> None:
    assert await draft(HIRE, "init") == ["0_init"]

    assert await check_tables(database, [CORE], HIRE, hire / "migrations") == []
    assert await draft(HIRE, "nothing") == []


async def test_draft_of_a_change_holds_no_lock_for_long(database: str, hire: Path) -> None:
    await draft(HIRE, "init")
    await migrate(database, [CORE, HIRE])
    edit(
        hire / "models.py",
        ("    # more fields of tools", ADDED),
        ("db_default=1)", "db_default=2)"),
        ("max_length=20, null=True)", "max_length=20)"),
        (
            "    # more fields of loans",
            '    other = fields.ForeignKeyField("hire.Tool", related_name="others", null=True)',
        ),
    )

    assert await draft(HIRE, "add more") == ["1_add_more", "2_add_more_concurrently", "3_add_more_not_null"]

    assert await find_lasting_locks() == [[], [], [], []]
    assert await check_tables(database, [CORE], HIRE, hire / "migrations") == []
    assert await draft(HIRE, "nothing") == []


async def test_draft_says_what_a_table_with_rows_would_refuse(hire: Path) -> None:
    await draft(HIRE, "init")
    edit(
        hire / "models.py",
        ("    # more fields of tools", "    size = fields.IntField()"),
        ("    note = fields.CharField(max_length=20,", "    note = fields.TextField("),
        ("    days = fields.IntField()", "    weeks = fields.IntField(db_default=1)"),
    )

    assert await draft(HIRE, "worse") == ["1_worse"]

    text = next((hire / "migrations").glob("1_*.py")).read_text()
    assert [line.strip() for line in text.splitlines() if line.strip().startswith("-- ")] == [
        "-- A column is dropped and one is added. If that is a rename, write ALTER TABLE … RENAME COLUMN … TO …",
        "-- May rewrite the table while orders wait: add a column instead, and fill it in the background.",
        "-- Fails if the table has rows: give the field a db_default, or let it be null.",
    ]


async def test_empty_migration_has_the_header_of_the_last(database: str, hire: Path) -> None:
    with pytest.raises(MigrationError, match="hire has no migrations yet"):
        empty_migration(HIRE, "Fill it in")
    await draft(HIRE, "init")

    path = empty_migration(HIRE, "check the days")

    assert path.name.startswith("1_")
    assert path.name.endswith("_check_the_days.py")
    edit(
        path,
        ('async def upgrade(db: BaseDBAsyncClient) -> str:\n    """Check the days."""\n    return """\n    """',
         'async def upgrade(db):\n    return "ALTER TABLE hire_terms ADD CONSTRAINT days CHECK (days > 0) NOT VALID"'),
    )  # fmt: skip
    forget(HIRE)
    assert [step.app for step in await migrate(database, [CORE, HIRE])][-2:] == ["hire", "hire"]
    assert await differences(database, [HIRE]) == []
    assert await draft(HIRE, "nothing") == []


def test_a_migrations_folder_without_init_file_is_found(apps: Path) -> None:
    folder = apps / "orchard" / "migrations"
    (folder / "__init__.py").unlink()
    edit(apps / "orchard" / "models.py", ("max_length=60", "max_length=61"))

    assert [path.parent for path in new_migration(ORCHARD, "longer")] == [folder]


def test_models_that_cannot_be_imported_give_no_file(apps: Path) -> None:
    (apps / "orchard" / "models.py").write_text("import nothing_of_that_name\n")
    before = sorted((apps / "orchard" / "migrations").iterdir())

    with pytest.raises(MigrationError, match="No migration was written for orchard"):
        new_migration(ORCHARD, "broken")

    assert sorted((apps / "orchard" / "migrations").iterdir()) == before
