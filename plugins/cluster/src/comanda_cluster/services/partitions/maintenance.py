"""Upkeep of partitioned log tables: partitions ahead, the start of a period, and the end of old partitions.

Each step is one statement or transaction, takes no lock that an order waits for longer than half a second, and says by
what it leaves in the catalog what the next start has to do.
"""

from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial
from typing import Final

from comanda.contracts import LogTable
from comanda_migrations.table_locks import retry_while_locked

from comanda_cluster.services.partitions import periods
from comanda_cluster.services.partitions.catalog import Connection, LogState, Partition, read_state

# Rows without a partition are refused, and orders with them: so there is always room for far more than a period takes.
SPARE_PARTITIONS: Final = 2
MIN_IDS: Final = 10_000_000
# How many times the ids of the largest partition the next one has.
GROWTH: Final = 4


async def maintain(
    connection: Connection, log: LogTable, moment: datetime, patience_seconds: float
) -> AsyncIterator[str]:
    """Maintain a partitioned table, and yield a line for each step. The lock of migrations is held.

    A partition is dropped by the run after the one that detached it, when no statement can have begun to read it.
    """
    state = await _read(connection, log)
    for name in state.detached:
        if await drop_detached(connection, log, name, moment, patience_seconds):
            yield f"dropped    {name}"
    created = await retry_while_locked(partial(create_spare_partitions, connection, log, moment), patience_seconds)
    for name in created:
        yield f"created    {name}"
    begun: str | None = await retry_while_locked(partial(begin_period, connection, log, moment), patience_seconds)
    if begun is not None:
        yield f"began      {begun}"
    for partition in await find_old_partitions(connection, await _read(connection, log), moment):
        await retry_while_locked(partial(detach, connection, log, partition.name), patience_seconds)
        yield f"detached   {partition.name}"


async def create_spare_partitions(connection: Connection, log: LogTable, moment: datetime) -> list[str]:
    """Create the partitions of this and the following periods that are missing, and return their names."""
    created: list[str] = []
    async with connection.transaction():
        state = await _read(connection, log)
        while (partition := plan_partition(state, moment)) is not None:
            await _create(connection, state, partition)
            created.append(partition.name)
            state = await _read(connection, log)
    return created


def plan_partition(state: LogState, moment: datetime) -> Partition | None:
    """Return the partition to create next, or None if there are enough for later periods and later ids."""
    last, now = state.partitions[-1], periods.get_start(state.log.period, moment)
    later = [each for each in state.spare if each.start > now]
    if len(later) >= SPARE_PARTITIONS:
        return None
    start = max(periods.get_end(state.log.period, last.start), now)
    name = periods.build_name(state.log.name, state.log.period, start)
    return Partition(name, start, last.upper, last.upper + count_ids(state), rows=0, bytes=0, is_detaching=False)


def count_ids(state: LogState) -> int:
    """Return how many ids a partition has room for."""
    rows = max([state.rows if not state.is_partitioned else 0, *(each.rows for each in state.partitions)])
    return max(1, -(-GROWTH * rows // MIN_IDS)) * MIN_IDS


async def begin_period(connection: Connection, log: LogTable, moment: datetime) -> str | None:
    """Move the ids to the partition of the current period, and return its name if they were not there yet."""
    state = await _read(connection, log)
    begun = [each for each in state.partitions if each.start <= moment.date()]
    if not begun or state.last_id >= begun[-1].lower:
        return None
    async with connection.transaction():
        # It changes nothing but takes the lock that new ids wait for, so that none is assigned in between.
        await connection.execute(f"ALTER SEQUENCE {state.sequence} INCREMENT BY 1")
        last_id: int = await connection.fetchval(f"SELECT last_value FROM {state.sequence}")
        if last_id >= begun[-1].lower:
            return None
        await connection.execute(f"ALTER SEQUENCE {state.sequence} RESTART WITH {begun[-1].lower}")
    return begun[-1].name


async def find_old_partitions(connection: Connection, state: LogState, moment: datetime) -> list[Partition]:
    """Return the partitions with no row that is kept, and those whose detachment was interrupted."""
    found = []
    before = moment - state.log.retention()
    for each in state.partitions:
        is_past = periods.to_moment(periods.get_end(state.log.period, each.start)) <= before
        is_over = is_past and each.upper <= state.last_id
        if each.is_detaching or (is_over and not await _has_kept_rows(connection, state.log, each.name, moment)):
            found.append(each)
    return found


async def detach(connection: Connection, log: LogTable, name: str) -> None:
    """Detach a partition, or finish what an interrupted detachment has begun."""
    state = await _read(connection, log)
    partition = next((each for each in state.partitions if each.name == name), None)
    if partition is not None:
        how = "FINALIZE" if partition.is_detaching else "CONCURRENTLY"
        await connection.execute(f"ALTER TABLE {log.name} DETACH PARTITION {name} {how}")


async def drop_detached(
    connection: Connection, log: LogTable, name: str, moment: datetime, patience_seconds: float
) -> bool:
    """Drop a table that was a partition, unless it has rows that are kept; return whether it was dropped."""
    if await _has_kept_rows(connection, log, name, moment):
        return False
    await retry_while_locked(partial(connection.execute, f"DROP TABLE {name}"), patience_seconds)
    return True


async def _has_kept_rows(connection: Connection, log: LogTable, name: str, moment: datetime) -> bool:
    statement = f"SELECT EXISTS (SELECT FROM {name} q WHERE {log.kept})"
    found: bool = await connection.fetchval(statement, moment - log.retention())
    return found


async def _create(connection: Connection, state: LogState, partition: Partition) -> None:
    """Create a partition like those before; attaching it takes no lock that writers of rows wait for."""
    table, name = state.log.name, partition.name
    options = await connection.fetchval(
        "SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = $1::text::regclass",
        state.partitions[-1].name,
    )
    storage = f" WITH ({options})" if options else ""
    await connection.execute(f"CREATE TABLE {name} (LIKE {table} INCLUDING ALL EXCLUDING IDENTITY){storage}")
    bounds = f"FROM ({partition.lower}) TO ({partition.upper})"
    await connection.execute(f"ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES {bounds}")


async def _read(connection: Connection, log: LogTable) -> LogState:
    state = await read_state(connection, log)
    if state is None:
        raise LookupError(f"There is no table {log.name}.")
    return state
