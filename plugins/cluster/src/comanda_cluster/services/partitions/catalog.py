"""What the catalog of a database says about a log table and its partitions."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

import asyncpg
from comanda.contracts import LogTable

from comanda_cluster.services.partitions.periods import parse_start

SELECT_TABLE: Final = """
    SELECT c.relkind = 'p' AS is_partitioned, c.reltuples::bigint AS rows, pg_total_relation_size(c.oid) AS bytes,
        (SELECT pg_get_serial_sequence(c.oid::regclass::text, 'id') FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'id' AND a.attidentity <> '') AS sequence,
        (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
         WHERE k.conrelid = c.oid AND k.conname = c.relname || '_ids') AS ids_check
    FROM pg_class c WHERE c.oid = to_regclass($1)
"""
SELECT_PARTITIONS: Final = """
    SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, c.reltuples::bigint AS rows,
        pg_total_relation_size(c.oid) AS bytes, i.inhdetachpending AS is_detaching
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)
"""
SELECT_DETACHED: Final = r"""
    SELECT c.relname::text AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
        AND c.relname ~ ('^' || $1 || '_\d{4}_\d{2}(_\d{2})?$') ORDER BY 1
"""
BOUNDS: Final = re.compile(r"FROM \((?:MINVALUE|'?(\d+)'?)\) TO \('?(\d+)'?\)")
CHECKED_BOUND: Final = re.compile(r"id < '?(\d+)'?")

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition with the ids from ``lower`` to below ``upper``, for the period that begins with ``start``.

    ``rows`` is PostgreSQL's estimate. One that ``is_detaching`` is no longer read, but still has to be taken off.
    """

    name: str
    start: date
    lower: int
    upper: int
    rows: int
    bytes: int
    is_detaching: bool


@dataclass(frozen=True, slots=True)
class LogState:
    """A log table as it is. ``partitions`` are in the order of their ids; ``detached`` are still to be dropped.

    ``last_id`` is the last id, or the next if the sequence was moved. ``checked_bound`` is there while the table is
    being partitioned: its ids are below it.
    """

    log: LogTable
    is_partitioned: bool
    sequence: str | None
    last_id: int
    rows: int
    bytes: int
    checked_bound: int | None
    partitions: tuple[Partition, ...]
    detached: tuple[str, ...]

    @property
    def current(self) -> Partition | None:
        """The partition that receives rows now; None if there is none for them."""
        return next((each for each in self.partitions if each.lower <= self.last_id < each.upper), None)

    @property
    def spare(self) -> tuple[Partition, ...]:
        """The partitions that wait for rows."""
        return tuple(each for each in self.partitions if each.lower > self.last_id)


async def read_state(connection: Connection, log: LogTable) -> LogState | None:
    """Return the state of a log table, or None if there is no such table."""
    row = await connection.fetchrow(SELECT_TABLE, log.name)
    if row is None:
        return None
    sequence = row["sequence"]
    checked = CHECKED_BOUND.search(row["ids_check"] or "")
    return LogState(
        log=log,
        is_partitioned=row["is_partitioned"],
        sequence=sequence,
        last_id=await connection.fetchval(f"SELECT last_value FROM {sequence}") if sequence else 0,
        rows=row["rows"],
        bytes=row["bytes"],
        checked_bound=int(checked[1]) if checked else None,
        partitions=await _read_partitions(connection, log),
        detached=tuple(each["name"] for each in await connection.fetch(SELECT_DETACHED, log.name)),
    )


async def _read_partitions(connection: Connection, log: LogTable) -> tuple[Partition, ...]:
    found = []
    for row in await connection.fetch(SELECT_PARTITIONS, log.name):
        bounds, start = BOUNDS.search(row["bounds"]), parse_start(row["name"])
        if bounds and start:
            found.append(
                Partition(
                    name=row["name"],
                    start=start,
                    lower=int(bounds[1] or 0),
                    upper=int(bounds[2]),
                    rows=row["rows"],
                    bytes=row["bytes"],
                    is_detaching=row["is_detaching"],
                )
            )
    return tuple(sorted(found, key=lambda each: each.lower))
