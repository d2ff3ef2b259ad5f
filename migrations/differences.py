"""Hold the tables that the migrations made against those that the models expect."""

import asyncio
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from .history import History, MigrationError

SCRATCH = "comanda_expected"

# Ordinary and partitioned tables, not the partitions; system columns have numbers below 1.
COLUMNS = """
SELECT r.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS "type",
       NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS "default",
       a.attidentity <> '' OR coalesce(pg_get_expr(d.adbin, d.adrelid), '') LIKE 'nextval(%' AS numbered,
       a.attgenerated <> '' AS computed
FROM pg_class r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
WHERE r.relnamespace = to_regnamespace($1) AND r.relkind IN ('r', 'p') AND NOT r.relispartition
ORDER BY r.relname, a.attnum
"""

FOREIGN_KEYS = """
SELECT r.relname AS "table", c.conname AS name,
       (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns
FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
WHERE c.contype = 'f' AND c.conparentid = 0 AND r.relnamespace = to_regnamespace($1)
ORDER BY r.relname, c.conname
"""

# An index serves a foreign key if it holds every row that has one: whole, or partial by IS NOT NULL alone.
INDEXES = """
SELECT r.relname AS "table", pg_get_expr(i.indpred, i.indrelid) AS predicate,
       (SELECT array_agg(coalesce(a.attname::text, '') ORDER BY k.place)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
        LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number AND k.number > 0
        WHERE k.place <= i.indnkeyatts) AS columns
FROM pg_index i
JOIN pg_class r ON r.oid = i.indrelid
JOIN pg_class x ON x.oid = i.indexrelid
JOIN pg_am m ON m.oid = x.relam AND m.amname IN ('btree', 'hash')
WHERE i.indisvalid AND r.relnamespace = to_regnamespace($1)
"""
NOT_NULL_ONLY = re.compile(r"\(*\w+ IS NOT NULL\)*( AND \(*\w+ IS NOT NULL\)*)*")


@dataclass(frozen=True, slots=True)
class Column:
    """A column as PostgreSQL itself spells it; ``numbered`` by a sequence, ``computed`` from other columns."""

    type: str
    nullable: bool
    default: str | None
    numbered: bool
    computed: bool


Tables = dict[str, dict[str, Column]]


async def differences(database_url: str, histories: Sequence[History]) -> list[str]:
    """Compare the models of the given apps with a migrated database; an empty list says that they agree.

    The models' own tables are created in a schema beside and rolled back, so that both sides are in PostgreSQL's
    spelling. Not compared: primary keys, which are ``(id, owner_id)`` in SQL and ``id`` in the models, other
    constraints, indexes, and defaults that only SQL has; but a foreign key without an index to serve it is reported.
    """
    wanted = await _models(histories)
    connection = await asyncpg.connect(database_url.replace("asyncpg://", "postgresql://", 1))
    try:
        schema = await connection.fetchval("SELECT current_schema()")
        actual = await _tables(connection, schema)
        keys = await connection.fetch(FOREIGN_KEYS, schema)
        indexes = await connection.fetch(INDEXES, schema)
        trial = connection.transaction()
        await trial.start()
        try:
            await connection.execute(f"CREATE SCHEMA {SCRATCH}; SET LOCAL search_path TO {SCRATCH}; {wanted['sql']}")
            expected = await _tables(connection, SCRATCH)
        finally:
            await trial.rollback()
    finally:
        await connection.close()
    defaults: dict[str, list[str]] = wanted["db_defaults"]
    apps = [history.app for history in histories]
    extra = {table for table in actual.keys() - expected.keys() if any(table.startswith(f"{app}_") for app in apps)}
    ours = expected.keys() | extra
    return [
        *(
            f"Table {name} is missing: a model has it, no migration makes it."
            for name in sorted(expected.keys() - actual)
        ),
        *(f"Table {name} is in the database, but no model has it." for name in sorted(extra)),
        *(
            sentence
            for table in sorted(expected.keys() & actual.keys())
            for sentence in _column_differences(table, expected[table], actual[table], defaults.get(table, []))
        ),
        *(
            f"Foreign key {key['name']} of {key['table']} ({', '.join(key['columns'])}) has no index that serves it."
            for key in keys
            if key["table"] in ours and not _is_served(key, indexes)
        ),
    ]


async def _models(histories: Sequence[History]) -> dict[str, Any]:
    """Ask ``expected`` in a process of its own; see there. Raises ``MigrationError`` if a model cannot be imported."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "comanda_migrations.expected"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
    )
    question = json.dumps({history.app: list(history.modules) for history in histories})
    answer, complaint = await process.communicate(question.encode())
    if process.returncode != 0:
        raise MigrationError(f"The models could not be read: {complaint.decode(errors='replace').strip()[-2000:]}")
    models: dict[str, Any] = json.loads(answer)
    return models


async def _tables(connection: "asyncpg.Connection[asyncpg.Record]", schema: str) -> Tables:
    tables: Tables = {}
    for row in await connection.fetch(COLUMNS, schema):
        column = Column(row["type"], row["nullable"], row["default"], row["numbered"], row["computed"])
        tables.setdefault(row["table"], {})[row["column"]] = column
    return tables


def _column_differences(
    table: str, expected: dict[str, Column], actual: dict[str, Column], with_default: Sequence[str]
) -> Iterator[str]:
    for name, wanted in expected.items():
        found = actual.get(name)
        if found is None:
            yield f"Column {table}.{name} is missing: the model has it as {wanted.type}."
            continue
        if found.type != wanted.type:
            yield f"Column {table}.{name} is {found.type}; the model says {wanted.type}."
        if found.nullable != wanted.nullable:
            claim = "may be null" if found.nullable else "may not be null"
            yield f"Column {table}.{name} {claim}; the model says otherwise."
        if wanted.numbered and not found.numbered:
            yield f"Column {table}.{name} has no sequence, and the model leaves its numbers to the database."
        elif name in with_default and found.default != wanted.default:
            yield f"Column {table}.{name} has the default {found.default}; the model says {wanted.default}."
    for name, found in actual.items():
        # What PostgreSQL computes itself, such as a search vector, is no business of the model's.
        if name not in expected and not found.computed:
            yield f"Column {table}.{name} is in the database, but the model does not have it."


def _is_served(key: asyncpg.Record, indexes: Sequence[asyncpg.Record]) -> bool:
    """Say whether an index finds the rows behind a foreign key.

    Its leading columns are the key's, in any order; that of a tenant's key may lack ``owner_id``, since the other
    column alone finds few rows.
    """
    columns = set(key["columns"])
    needed = columns - {"owner_id"} or columns
    for index in indexes:
        partial = index["predicate"] is not None and not NOT_NULL_ONLY.fullmatch(index["predicate"])
        leading = set(itertools.takewhile(columns.__contains__, index["columns"]))
        if index["table"] == key["table"] and not partial and needed <= leading:
            return True
    return False
