"""Rules for tables, checked on a database after its migrations."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import asyncpg
from comanda_migrations import runner
from comanda_migrations.differences import differences

from comanda.contracts.data.model_sets import ModelSet
from comanda.devkit.authoring.findings import Finding

SELECT_TABLES = """
    SELECT r.relname::text AS name,
           EXISTS (SELECT FROM pg_attribute a
                   WHERE a.attrelid = r.oid AND a.attname = 'owner_id' AND NOT a.attisdropped) AS has_owner,
           EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (i.indkey)
                   WHERE i.indrelid = r.oid AND i.indisprimary AND a.attname = 'owner_id') AS is_keyed,
           EXISTS (SELECT FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (c.conkey)
                   WHERE c.conrelid = r.oid AND c.contype = 'f' AND a.attname = 'owner_id') AS is_anchored
    FROM pg_class r
    WHERE r.relnamespace = 'public'::regnamespace AND r.relkind IN ('r', 'p') AND NOT r.relispartition
    ORDER BY 1
"""
# References between tables with owner_id that do not include owner_id on both sides.
SELECT_UNSAFE_REFERENCES = """
    WITH tenant AS (SELECT attrelid AS id FROM pg_attribute WHERE attname = 'owner_id' AND NOT attisdropped)
    SELECT r.relname::text AS name, c.conname::text AS key
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
      AND c.conrelid IN (SELECT id FROM tenant) AND c.confrelid IN (SELECT id FROM tenant)
      AND NOT EXISTS (
        SELECT FROM unnest(c.conkey, c.confkey) AS pair(own, other)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = pair.own AND a.attname = 'owner_id'
        JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = pair.other AND b.attname = 'owner_id')
    ORDER BY 1, 2
"""
# Foreign keys to core's tables that leave open what happens when a row of core is deleted: PostgreSQL keeps no
# difference between saying nothing and NO ACTION.
SELECT_OPEN_REFERENCES = """
    SELECT r.relname::text AS name, c.conname::text AS key, f.relname::text AS other
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND c.confdeltype = 'a'
      AND f.relname LIKE 'core\\_%'
    ORDER BY 1, 2
"""
SELECT_COLUMNS = """
    SELECT table_name::text AS name, column_name::text AS column, data_type::text AS type
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position
"""
MONEY = re.compile(r"(^|_)(price|amount|total|subtotal|cost|fee|tax|tip|balance|money)(_|$)")
INEXACT_TYPES = frozenset({"real", "double precision", "money"})


async def check_tables(url: str, others: Sequence[ModelSet], own: ModelSet, folder: Path) -> list[Finding]:
    """Migrate an empty database and check the tables of the plugin."""
    await runner.migrate(url, others)
    connection = await asyncpg.connect(url)
    try:
        before = {row["name"] for row in await connection.fetch(SELECT_TABLES)}
        try:
            await runner.migrate(url, [*others, own])
        except (runner.MigrationError, asyncpg.PostgresError) as error:
            return [Finding(str(folder), 1, "migrates", f"{_format_error(error)}")]
        rows = [row for row in await connection.fetch(SELECT_TABLES) if row["name"] not in before]
        found = [one for row in rows for one in _check_table(row, own.app, folder)]
        names = {row["name"] for row in rows}
        found += [
            Finding(
                *_find_place(folder, row["name"]),
                "table-reference",
                f"{row['key']} of {row['name']} does not include owner_id.",
            )
            for row in await connection.fetch(SELECT_UNSAFE_REFERENCES)
            if row["name"] in names
        ]
        found += [
            Finding(
                *_find_place(folder, row["name"]),
                "table-on-delete",
                f"{row['key']} of {row['name']} does not say what happens when a row of {row['other']} is deleted.",
            )
            for row in await connection.fetch(SELECT_OPEN_REFERENCES)
            if row["name"] in names
        ]
        found += [
            one
            for row in await connection.fetch(SELECT_COLUMNS)
            if row["name"] in names
            for one in _check_column(row, folder)
        ]
    finally:
        await connection.close()
    return found + [
        Finding(*_find_place(folder, _find_table_name(sentence, names)), "models-agree", sentence)
        for sentence in await differences(url, [own])
    ]


def _check_table(row: Any, app: str, folder: Path) -> Iterator[Finding]:
    name = row["name"]
    place = _find_place(folder, name)
    if not name.startswith(f"{app}_"):
        yield Finding(*place, "table-prefix", f"The name of the table {name} does not start with {app}_.")
    if not row["has_owner"]:
        yield Finding(*place, "table-owner", f"{name} has no owner_id.")
        return
    if not row["is_keyed"]:
        yield Finding(*place, "table-key", f"The primary key of {name} does not include owner_id.")
    if not row["is_anchored"]:
        yield Finding(*place, "table-anchor", f"owner_id of {name} is not part of a foreign key.")


def _check_column(row: Any, folder: Path) -> Iterator[Finding]:
    called = f"{row['name']}.{row['column']}"
    if row["type"] == "timestamp without time zone":
        yield Finding(*_find_place(folder, row["name"]), "table-time", f"{called} is a timestamp without time zone.")
    if row["type"] in INEXACT_TYPES and (row["type"] == "money" or MONEY.search(row["column"])):
        yield Finding(*_find_place(folder, row["name"]), "table-money", f"{called} is {row['type']}.")


def _find_place(folder: Path, table: str) -> tuple[str, int]:
    """Return the file and line of the migration that creates a table."""
    pattern = re.compile(rf"""CREATE\s+TABLE\s+(IF\s+NOT\s+EXISTS\s+)?"?{re.escape(table)}\b""", re.IGNORECASE)
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if match := pattern.search(text):
            return str(path), text.count("\n", 0, match.start()) + 1
    return str(folder), 1


def _find_table_name(sentence: str, tables: set[str]) -> str:
    words = re.findall(r"\w+", sentence)
    return next((word for word in words if word in tables), "")


def _format_error(error: Exception) -> str:
    return " ".join(str(error).split())[:500]
