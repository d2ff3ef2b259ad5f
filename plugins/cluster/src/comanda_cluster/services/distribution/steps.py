"""The steps of a distribution. Each is one transaction, and after an interruption the next start goes on from there.

Citus distributes a table only after those that it refers to, and refuses foreign keys from tables that it does not
know. So the foreign keys of the tables to distribute are dropped first and created again at the end;
``core_dropped_key`` remembers them meanwhile.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import asyncpg
from comanda.basics import StartupError
from comanda.contracts import ModelSet
from comanda.platform.db import FIRST_TABLE, connect, create_functions
from comanda_migrations import runner

from comanda_cluster.services.distribution.catalog import OWNER, read_citus_version, read_dropped_keys, read_tables
from comanda_cluster.services.distribution.plan import (
    DistributionPlan,
    Placement,
    PlannedTable,
    build_plan,
    to_cluster_rule,
)

SESSION_SETTINGS: Final = {
    "application_name": "comanda distribute",
    "client_min_messages": "warning",
    "statement_timeout": "0",
    "lock_timeout": "0",
    # Triggers run on the nodes, beside the rows, and change only rows of the same owner.
    "citus.enable_unsafe_triggers": "on",
}
CREATE_DROPPED_KEYS: Final = """
    CREATE TABLE IF NOT EXISTS core_dropped_key (
        table_name text NOT NULL, name text NOT NULL, target text NOT NULL, definition text NOT NULL,
        pairs_owner boolean NOT NULL, PRIMARY KEY (table_name, name))
"""
INSERT_DROPPED_KEY: Final = """
    INSERT INTO core_dropped_key (table_name, name, target, definition, pairs_owner) VALUES ($1, $2, $3, $4, $5)
"""
DELETE_DROPPED_KEY: Final = "DELETE FROM core_dropped_key WHERE table_name = $1 AND name = $2"
DROP_DROPPED_KEYS: Final = "DROP TABLE IF EXISTS core_dropped_key"
ALLOW_NESTED_STATEMENTS: Final = """
    SELECT run_command_on_all_nodes(
        format('ALTER DATABASE %I SET citus.allow_nested_distributed_execution = on', current_database()))
"""
SELECT_USERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'comanda' AND pid <> pg_backend_pid()
"""
IS_DISTRIBUTED: Final = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1))"
HAS_COORDINATOR: Final = "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0)"
HAS_SHARD_NODES: Final = "SELECT EXISTS (SELECT FROM pg_dist_node WHERE shouldhaveshards AND isactive)"
HAS_BTREE_GIST: Final = "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'btree_gist')"
NO_CITUS: Final = (
    "This database has no Citus: create the extension in it on each node, and register the nodes "
    "(docs/scaling.md). Nothing was changed."
)

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class DistributionRefused(StartupError):
    """The database cannot be distributed; the message says what prevents it."""


@asynccontextmanager
async def open_session(url: str) -> AsyncIterator[Connection]:
    """Open a connection for distribution to the coordinator, past any pooler."""
    async with connect(url, server_settings=SESSION_SETTINGS) as connection:
        yield connection


async def read_plan(connection: Connection) -> DistributionPlan:
    """Return the plan for a database; it changes nothing, and works without Citus, too."""
    return build_plan(await read_tables(connection))


async def find_problems(connection: Connection, plan: DistributionPlan) -> list[str]:
    """Return sentences on what prevents the distribution of a database now."""
    found = list(plan.problems)
    if await read_citus_version(connection) is None:
        return [NO_CITUS, *found]
    if not await connection.fetchval(HAS_COORDINATOR):
        found.append("The coordinator is not registered: SELECT citus_set_coordinator_host('its name', 5432).")
    if not await connection.fetchval(HAS_SHARD_NODES):
        found.append("No node may have shards: add nodes with SELECT citus_add_node('its name', 5432).")
    if _list_rules(plan.pending) and not await connection.fetchval(HAS_BTREE_GIST):
        found.append("Exclusion constraints need the extension btree_gist, which the servers lack.")
    if users := await connection.fetchval(SELECT_USERS):
        found.append(f"Stop all web and worker processes: they have {users} connections to this database.")
    return found


async def distribute(connection: Connection, models: Sequence[ModelSet]) -> AsyncIterator[str]:
    """Distribute what is not yet, and yield a line for each step. Raises ``DistributionRefused`` before the first.

    Holds the lock of migrations, so that neither runs beside the other.
    """
    await connection.execute("SELECT pg_advisory_lock($1)", runner.LOCK)
    try:
        plan = await read_plan(connection)
        if problems := await find_problems(connection, plan):
            raise DistributionRefused(" ".join(problems))
        async for line in distribute_tables(connection, plan):
            yield line
        for name in await create_functions(connection, models):
            yield f"function     {name}"
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", runner.LOCK)


async def update_distribution(url: str, models: Sequence[ModelSet]) -> list[str]:
    """Distribute what a new version has added to a distributed database, tables and functions; return a line for each.

    Does nothing to any other database. Raises ``DistributionRefused`` if a table cannot be where it belongs.
    """
    async with open_session(url) as connection:
        if await read_citus_version(connection) is None or not await connection.fetchval(IS_DISTRIBUTED, FIRST_TABLE):
            return []
        await connection.execute("SELECT pg_advisory_lock($1)", runner.LOCK)
        plan = await read_plan(connection)
        if plan.problems:
            raise DistributionRefused(" ".join(plan.problems))
        lines = [line async for line in distribute_tables(connection, plan)]
        return [*lines, *(f"function     {name}" for name in await create_functions(connection, models))]


async def distribute_tables(connection: Connection, plan: DistributionPlan) -> AsyncIterator[str]:
    """Carry out a plan that nothing prevents."""
    if pending := plan.pending:
        yield f"dropped {await _drop_keys(connection, plan)} foreign keys, to be created again"
        for table, name, definition in _list_rules(pending):
            await _replace_rule(connection, table, name, definition)
            yield f"compared owners by = in {name}"
    for each in sorted(pending, key=lambda one: one.table.name != FIRST_TABLE):
        if each.placement is Placement.REFERENCE:
            await connection.execute("SELECT create_reference_table($1::regclass)", each.table.name)
            yield f"reference    {each.table.name}"
    for each in sorted(pending, key=lambda one: one.table.name != FIRST_TABLE):
        if each.placement is Placement.DISTRIBUTED:
            colocated = "default" if each.table.name == FIRST_TABLE else FIRST_TABLE
            statement = "SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)"
            await connection.execute(statement, each.table.name, OWNER, colocated)
            yield f"distributed  {each.table.name}"
    if any(each.table.triggers for each in pending):
        # Triggers run on the nodes, where they name the tables as everybody does.
        await connection.execute(ALLOW_NESTED_STATEMENTS)
    if created := await _create_keys(connection):
        yield f"created {created} foreign keys"


def _list_rules(pending: Sequence[PlannedTable]) -> list[tuple[str, str, str]]:
    """Return the table, name and new definition of each exclusion constraint that has to change."""
    return [
        (each.table.name, rule.name, changed)
        for each in pending
        if each.placement is Placement.DISTRIBUTED
        for rule in each.table.exclusion_rules
        if (changed := to_cluster_rule(rule)) is not None and changed != rule.definition
    ]


async def _drop_keys(connection: Connection, plan: DistributionPlan) -> int:
    """Drop the foreign keys from and to the tables that are pending, and remember them; return how many."""
    pending = {each.table.name for each in plan.pending}
    async with connection.transaction():
        await connection.execute(CREATE_DROPPED_KEYS)
        remembered = {(table, key.name) for table, key in await read_dropped_keys(connection)}
        dropped = [
            (each.table.name, key)
            for each in plan.tables
            for key in each.table.foreign_keys
            if (each.table.name in pending or key.target in pending) and (each.table.name, key.name) not in remembered
        ]
        for table, key in dropped:
            values = (table, key.name, key.target, key.definition, key.pairs_owner)
            await connection.execute(INSERT_DROPPED_KEY, *values)
            await connection.execute(f"ALTER TABLE {_quote(table)} DROP CONSTRAINT {_quote(key.name)}")
    return len(dropped) + len(remembered)


async def _replace_rule(connection: Connection, table: str, name: str, definition: str) -> None:
    await connection.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
    async with connection.transaction():
        await connection.execute(f"ALTER TABLE {_quote(table)} DROP CONSTRAINT {_quote(name)}")
        await connection.execute(f"ALTER TABLE {_quote(table)} ADD CONSTRAINT {_quote(name)} {definition}")


async def _create_keys(connection: Connection) -> int:
    """Create the foreign keys that were dropped, and return how many."""
    dropped = await read_dropped_keys(connection)
    for table, key in dropped:
        async with connection.transaction():
            # Citus checks a key of several tables with one connection to each node.
            await connection.execute("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")
            await connection.execute(f"ALTER TABLE {_quote(table)} ADD CONSTRAINT {_quote(key.name)} {key.definition}")
            await connection.execute(DELETE_DROPPED_KEY, table, key.name)
    await connection.execute(DROP_DROPPED_KEYS)
    return len(dropped)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
