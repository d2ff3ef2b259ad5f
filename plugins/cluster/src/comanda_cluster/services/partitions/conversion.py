"""Conversion of a log table that has rows into a partitioned one, of which it becomes the first partition.

The rows stay where they are. A check proves their ids, and is validated while rows are written; then one transaction,
of some milliseconds once it has its locks, creates the partitioned table under the name of the old one. A start after
an interruption goes on from what the catalog says.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import asyncpg
from comanda.basics import StartupError
from comanda.contracts import LogTable
from comanda_migrations.table_locks import retry_while_locked

from comanda_cluster.services.distribution.catalog import read_citus_version
from comanda_cluster.services.partitions import maintenance, periods
from comanda_cluster.services.partitions.catalog import Connection, read_state

MAX_NAME_BYTES: Final = 63
SELECT_UNIQUE_WITHOUT_ID: Final = """
    SELECT i.relname::text AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid = $1::text::regclass AND (x.indisunique OR x.indisexclusion) AND NOT EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = x.indrelid AND a.attname = 'id'
            AND a.attnum = ANY (x.indkey::int2[]))
    ORDER BY 1
"""
HAS_TRIGGERS: Final = """
    SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = $1::text::regclass AND NOT tgisinternal)
"""
IS_OWNED: Final = "SELECT pg_get_userbyid(relowner) = current_user FROM pg_class WHERE oid = $1::text::regclass"
SELECT_INDEXES: Final = """
    SELECT i.relname::text AS name, pg_get_indexdef(i.oid) AS definition, k.conname::text AS key_name,
        pg_get_constraintdef(k.oid) AS key
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u')
    WHERE x.indrelid = $1::text::regclass ORDER BY 1
"""
SELECT_FOREIGN_KEYS: Final = """
    SELECT k.conname::text AS name, k.conrelid::regclass::text AS source, k.confrelid::regclass::text AS target,
        pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k
    WHERE k.contype = 'f' AND k.conparentid = 0 AND $1::text::regclass IN (k.conrelid, k.confrelid) ORDER BY 1
"""
SELECT_UNVALIDATED: Final = """
    SELECT k.conname::text AS name, k.conrelid::regclass::text AS source FROM pg_constraint k
    WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid = $1::text::regclass AND NOT k.convalidated
"""
SELECT_VIEWS: Final = """
    SELECT DISTINCT v.oid::regclass::text AS name, pg_get_viewdef(v.oid) AS definition,
        array_to_string(v.reloptions, ', ') AS options
    FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
    JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v'
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::text::regclass ORDER BY 1
"""
SELECT_GRANTS: Final = """
    SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee,
        a.privilege_type AS privilege
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
    WHERE c.oid = $1::text::regclass AND a.grantee <> c.relowner
"""
IS_CHECK_VALID: Final = """
    SELECT convalidated FROM pg_constraint WHERE conrelid = $1::text::regclass AND conname = $2
"""


class PartitionsRefused(StartupError):
    """A table cannot be partitioned; the message says what prevents it."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What belongs to a table and refers to it: indexes with their keys, foreign keys both ways, views, grants."""

    indexes: Sequence[asyncpg.Record]
    foreign_keys: Sequence[asyncpg.Record]
    views: Sequence[asyncpg.Record]
    grants: Sequence[asyncpg.Record]


async def find_problems(connection: Connection, log: LogTable) -> list[str]:
    """Return sentences on what prevents the conversion of a table."""
    state = await read_state(connection, log)
    if state is None:
        return [f"There is no table {log.name}: run `comanda migrate`."]
    if state.is_partitioned:
        return []
    found = []
    if await read_citus_version(connection) is not None:
        found.append("This database has Citus: partitions of distributed tables are not supported.")
    if state.sequence is None:
        found.append(f"{log.name} has no identity column id.")
    without_id = await connection.fetch(SELECT_UNIQUE_WITHOUT_ID, log.name)
    found += [f"{row['name']} is unique without id, which partitions by id cannot ensure." for row in without_id]
    if await connection.fetchval(HAS_TRIGGERS, log.name):
        found.append(f"{log.name} has triggers.")
    if not await connection.fetchval(IS_OWNED, log.name):
        found.append(f"{log.name} belongs to another role of the database.")
    return found


async def convert(
    connection: Connection, log: LogTable, moment: datetime, patience_seconds: float
) -> AsyncIterator[str]:
    """Convert a table if it is not partitioned yet, and yield a line for each step. The lock of migrations is held.

    Raises ``PartitionsRefused`` before anything is changed.
    """
    if problems := await find_problems(connection, log):
        raise PartitionsRefused(" ".join(problems))
    state = await read_state(connection, log)
    if state is not None and not state.is_partitioned:
        bound = await retry_while_locked(partial(check_ids, connection, log), patience_seconds)
        yield f"bounded    {log.name}: ids below {bound}"
        validation = f"ALTER TABLE {log.name} VALIDATE CONSTRAINT {log.name}_ids"
        await retry_while_locked(partial(connection.execute, validation), patience_seconds)
        yield f"validated  {log.name}"
        name = await retry_while_locked(partial(replace_table, connection, log, moment, bound), patience_seconds)
        yield f"attached   {name}, as the first partition"
    for key in await connection.fetch(SELECT_UNVALIDATED, log.name):
        validation = f"ALTER TABLE {key['source']} VALIDATE CONSTRAINT {key['name']}"
        await retry_while_locked(partial(connection.execute, validation), patience_seconds)
        yield f"validated  {key['name']}"


async def check_ids(connection: Connection, log: LogTable) -> int:
    """Add the check that all ids are below a bound, beyond what comes while it is validated; return the bound."""
    state = await read_state(connection, log)
    if state is None:
        raise LookupError(f"There is no table {log.name}.")
    if state.checked_bound is not None:
        if state.checked_bound - state.last_id > maintenance.MIN_IDS // 2:
            return state.checked_bound
        # An earlier start was long ago.
        await drop_check(connection, log)
    bound = (state.last_id // maintenance.MIN_IDS + 1) * maintenance.MIN_IDS + maintenance.count_ids(state)
    await connection.execute(f"ALTER TABLE {log.name} ADD CONSTRAINT {log.name}_ids CHECK (id < {bound}) NOT VALID")
    return bound


async def drop_check(connection: Connection, log: LogTable) -> None:
    """Drop the check of a conversion that nobody continues, which would refuse rows one day."""
    await connection.execute(f"ALTER TABLE {log.name} DROP CONSTRAINT IF EXISTS {log.name}_ids")


async def replace_table(connection: Connection, log: LogTable, moment: datetime, bound: int) -> str:
    """Create the partitioned table in the place of the old one, its first partition; return the name of that."""
    name = periods.build_name(log.name, log.period, periods.get_start(log.period, moment))
    async with connection.transaction():
        await _lock(connection, log.name)
        state, surroundings = await read_state(connection, log), await _read_surroundings(connection, log.name)
        is_valid = await connection.fetchval(IS_CHECK_VALID, log.name, f"{log.name}_ids")
        if state is None or state.is_partitioned or not is_valid:
            raise PartitionsRefused(f"{log.name} was changed meanwhile. Run the command again.")
        for statement in _build_statements(log.name, name, surroundings, bound, state.last_id + 1):
            await connection.execute(statement)
        await maintenance.create_spare_partitions(connection, log, moment)
    return name


def _build_statements(table: str, name: str, around: Surroundings, bound: int, next_id: int) -> Iterator[str]:
    """Yield the statements that rename a table and create the partitioned one with all that belongs to it."""
    incoming = [key for key in around.foreign_keys if key["source"] != table]
    for key in incoming:
        yield f"ALTER TABLE {key['source']} DROP CONSTRAINT {key['name']}"
    yield f"ALTER TABLE {table} ALTER id DROP IDENTITY"
    yield f"ALTER TABLE {table} RENAME TO {name}"
    for index in around.indexes:
        yield f"ALTER INDEX {index['name']} RENAME TO {_build_index_name(index['name'], name, table)}"
    yield f"""CREATE TABLE {table} (LIKE {name} INCLUDING ALL EXCLUDING INDEXES EXCLUDING IDENTITY)
        PARTITION BY RANGE (id)"""
    yield f"ALTER TABLE {table} DROP CONSTRAINT {table}_ids"
    yield f"ALTER TABLE {table} ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (START WITH {next_id})"
    for index in around.indexes:
        if index["key"]:
            yield f"ALTER TABLE {table} ADD CONSTRAINT {index['key_name']} {index['key']}"
        else:
            yield index["definition"]
    for key in around.foreign_keys:
        if key["source"] == table:
            yield f"ALTER TABLE {table} ADD CONSTRAINT {key['name']} {key['definition']}"
    yield f"ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM (MINVALUE) TO ({bound})"
    yield f"ALTER TABLE {name} DROP CONSTRAINT {table}_ids"
    for key in incoming:
        yield f"ALTER TABLE {key['source']} ADD CONSTRAINT {key['name']} {key['definition']} NOT VALID"
    for view in around.views:
        options = f" WITH ({view['options']})" if view["options"] else ""
        yield f"CREATE OR REPLACE VIEW {view['name']}{options} AS {view['definition']}"
    for grant in around.grants:
        yield f"GRANT {grant['privilege']} ON {table} TO {grant['grantee']}"


async def _read_surroundings(connection: Connection, table: str) -> Surroundings:
    return Surroundings(
        indexes=await connection.fetch(SELECT_INDEXES, table),
        foreign_keys=await connection.fetch(SELECT_FOREIGN_KEYS, table),
        views=await connection.fetch(SELECT_VIEWS, table),
        grants=await connection.fetch(SELECT_GRANTS, table),
    )


async def _lock(connection: Connection, table: str) -> None:
    """Lock a table, after those that belong to it, because orders wait for it."""
    around = await _read_surroundings(connection, table)
    for key in around.foreign_keys:
        if key["source"] == table:
            await connection.execute(f"LOCK TABLE {key['target']} IN SHARE ROW EXCLUSIVE MODE")
        else:
            await connection.execute(f"LOCK TABLE {key['source']} IN ACCESS EXCLUSIVE MODE")
    # With a view, PostgreSQL locks the tables that it reads.
    for view in around.views:
        await connection.execute(f"LOCK TABLE {view['name']} IN ACCESS EXCLUSIVE MODE")
    await connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")


def _build_index_name(index: str, partition: str, table: str) -> str:
    """Return the name of an index of a partition: that of the table's, with the period."""
    suffix = partition.removeprefix(table)
    return index[: MAX_NAME_BYTES - len(suffix)] + suffix
