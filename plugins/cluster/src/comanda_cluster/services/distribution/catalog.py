"""What the catalog of a database says about its tables, as far as their distribution depends on it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import asyncpg

OWNER: Final = "owner_id"
OWNER_TYPE: Final = "bigint"
# The tables of Comanda and its plugins, not those of extensions.
SELECT_TABLES: Final = """
    SELECT c.relname::text AS name, format_type(a.atttypid, a.atttypmod) AS owner_type,
        coalesce(a.attnotnull, false) AS has_every_owner, c.relkind = 'p' AS is_partitioned
    FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND d.deptype = 'e')
    ORDER BY 1
"""
SELECT_KEYS: Final = """
    SELECT t.relname::text AS table_name, i.relname::text AS name,
        (SELECT array_agg(a.attname::text) FROM pg_attribute a
         WHERE a.attrelid = t.oid AND a.attnum = ANY (x.indkey::int2[])) AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique ORDER BY 1, 2
"""
SELECT_CONSTRAINTS: Final = """
    SELECT t.relname::text AS table_name, k.conname::text AS name, k.contype::text AS kind,
        coalesce(f.relname::text, '') AS target, pg_get_constraintdef(k.oid) AS definition,
        EXISTS (SELECT FROM unnest(k.conkey, k.confkey) AS pair (own, other)
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = pair.own AND a.attname = 'owner_id'
            JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = pair.other AND b.attname = 'owner_id'
        ) AS pairs_owner
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid LEFT JOIN pg_class f ON f.oid = k.confrelid
    WHERE t.relnamespace = 'public'::regnamespace AND k.contype IN ('f', 'x') AND k.conparentid = 0 ORDER BY 1, 2
"""
SELECT_TRIGGERS: Final = """
    SELECT t.relname::text AS table_name, g.tgname::text AS name
    FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
    WHERE t.relnamespace = 'public'::regnamespace AND NOT g.tgisinternal ORDER BY 1, 2
"""
HAS_DROPPED_KEYS: Final = "SELECT to_regclass('core_dropped_key') IS NOT NULL"
SELECT_DROPPED_KEYS: Final = """
    SELECT table_name, name, target, definition, pairs_owner FROM core_dropped_key ORDER BY table_name, name
"""
SELECT_VERSION: Final = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
# A table that Citus only knows because it refers to a reference table is where it was: on the coordinator.
SELECT_PLACEMENTS: Final = """
    SELECT c.relname::text AS name,
        CASE WHEN p.partmethod = 'h' THEN 'distributed' WHEN p.repmodel = 't' THEN 'reference' ELSE 'local' END
            AS placement
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE c.relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True, slots=True)
class UniqueKey:
    """A unique index, of a primary key or not, and its columns."""

    name: str
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A foreign key; ``pairs_owner`` if it compares the owner of one row with that of the other."""

    name: str
    target: str
    definition: str
    pairs_owner: bool


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """An exclusion constraint, as PostgreSQL writes it."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: ``owner_type`` is the type of ``owner_id``, or None; ``placement`` where Citus keeps it, if it knows."""

    name: str
    owner_type: str | None = None
    has_every_owner: bool = True
    is_partitioned: bool = False
    unique_keys: tuple[UniqueKey, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    exclusion_rules: tuple[ExclusionRule, ...] = ()
    triggers: tuple[str, ...] = ()
    placement: str | None = None


async def read_citus_version(connection: "asyncpg.Connection[asyncpg.Record]") -> str | None:
    """Return the version of the extension in this database, or None without it."""
    version: str | None = await connection.fetchval(SELECT_VERSION)
    return version


async def read_dropped_keys(connection: "asyncpg.Connection[asyncpg.Record]") -> list[tuple[str, ForeignKey]]:
    """Return the foreign keys that an interrupted distribution has dropped, each with its table."""
    if not await connection.fetchval(HAS_DROPPED_KEYS):
        return []
    rows = await connection.fetch(SELECT_DROPPED_KEYS)
    return [
        (row["table_name"], ForeignKey(row["name"], row["target"], row["definition"], row["pairs_owner"]))
        for row in rows
    ]


async def read_tables(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, Table]:
    """Return the tables of the schema ``public`` by name, with the foreign keys that a distribution has dropped."""
    placements: Mapping[str, str] = {}
    if await read_citus_version(connection) is not None:
        placements = {row["name"]: row["placement"] for row in await connection.fetch(SELECT_PLACEMENTS)}
    keys, foreign, rules, triggers = (defaultdict[str, list[Any]](list) for _ in range(4))
    for row in await connection.fetch(SELECT_KEYS):
        keys[row["table_name"]].append(UniqueKey(row["name"], frozenset(row["columns"] or ())))
    for row in await connection.fetch(SELECT_CONSTRAINTS):
        if row["kind"] == "f":
            key = ForeignKey(row["name"], row["target"], row["definition"], row["pairs_owner"])
            foreign[row["table_name"]].append(key)
        else:
            rules[row["table_name"]].append(ExclusionRule(row["name"], row["definition"]))
    for table, dropped in await read_dropped_keys(connection):
        foreign[table].append(dropped)
    for row in await connection.fetch(SELECT_TRIGGERS):
        triggers[row["table_name"]].append(row["name"])
    return {
        row["name"]: Table(
            name=row["name"],
            owner_type=row["owner_type"],
            has_every_owner=row["has_every_owner"],
            is_partitioned=row["is_partitioned"],
            unique_keys=tuple(keys[row["name"]]),
            foreign_keys=tuple(foreign[row["name"]]),
            exclusion_rules=tuple(rules[row["name"]]),
            triggers=tuple(triggers[row["name"]]),
            placement=placements.get(row["name"]),
        )
        for row in await connection.fetch(SELECT_TABLES)
    }
