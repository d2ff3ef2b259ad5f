"""Purging a plugin: everything that it stored in tables of its own, and what core stored for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from comanda.basics.errors import Conflict, NotFound
from comanda.contracts.registry import Registry
from comanda.platform.db.connections.single import connect

Connection = asyncpg.Connection

SELECT_KNOWN_APPS = """
    SELECT name::text FROM core_plugin UNION SELECT DISTINCT app::text FROM aerich
    UNION SELECT DISTINCT plugin::text FROM core_store_setting
"""
SELECT_CONTRIBUTIONS = """
    SELECT array(SELECT jsonb_array_elements_text(contributes -> 'vertical')) AS store_types,
           array(SELECT jsonb_array_elements_text(contributes -> 'fulfillment mode')) AS modes
    FROM core_plugin WHERE name = $1
"""
# Tables, and views which are dropped before them.
SELECT_RELATIONS = """
    SELECT relname::text AS name, relkind IN ('v', 'm') AS is_view, relkind = 'm' AS is_materialized
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition
      AND starts_with(relname, $1)
    ORDER BY 1
"""
SELECT_FUNCTIONS = """
    SELECT proname::text AS name, oid::regprocedure::text AS signature FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND starts_with(proname, $1) ORDER BY 2
"""
SELECT_FOREIGN_KEYS = """
    SELECT conname::text AS name, conrelid::regclass::text AS referring, confrelid::regclass::text AS referred
    FROM pg_constraint
    WHERE contype = 'f' AND confrelid::regclass::text = ANY ($1::text[]) AND NOT conrelid::regclass::text = ANY ($1)
"""
COUNT_SETTINGS = "SELECT count(*) FROM core_store_setting WHERE plugin = $1"
COUNT_MIGRATIONS = "SELECT count(*) FROM aerich WHERE app = $1"
COUNT_STORES = "SELECT count(*) FROM core_store WHERE store_type = ANY ($1::text[])"
COUNT_ORDERS = """
    SELECT count(*) FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.type = ANY ($1::text[]) OR s.store_type = ANY ($2::text[])
"""


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """What a purge deletes: tables with their numbers of rows, views, functions, settings and applied migrations.

    Stores of the plugin's store types stay, as do orders in them or in its fulfillment modes: they are core's.
    """

    plugin: str
    tables: Mapping[str, int]
    views: Sequence[str]
    functions: Sequence[str]
    settings: int
    migrations: int
    stores: int
    orders: int


async def plan_purge(url: str, registry: Registry, plugin: str) -> PurgePlan:
    """Return what a purge of a plugin would delete.

    Raises ``Conflict`` for a plugin that is loaded, or whose tables another plugin's refer to, and ``NotFound`` for one
    that never ran on this database.
    """
    _require_absent(registry, plugin)
    async with connect(url) as connection:
        return await _plan(connection, registry, plugin)


async def purge(url: str, registry: Registry, plugin: str) -> PurgePlan:
    """Delete what a plugin stored, in one transaction, and return what that was. Raises like ``plan_purge``."""
    _require_absent(registry, plugin)
    async with connect(url) as connection, connection.transaction():
        plan = await _plan(connection, registry, plugin)
        for statement in _list_statements(plan):
            await connection.execute(statement)
        await connection.execute("DELETE FROM core_store_setting WHERE plugin = $1", plugin)
        await connection.execute("DELETE FROM aerich WHERE app = $1", plugin)
        await connection.execute("DELETE FROM core_plugin WHERE name = $1", plugin)
    return plan


def _require_absent(registry: Registry, plugin: str) -> None:
    if any(loaded.name == plugin for loaded in registry.plugins):
        raise Conflict(
            f"The plugin {plugin} is in use. Uninstall it, or disable it in every process with "
            f"COMANDA_DISABLED_PLUGINS={plugin}, before its data is deleted."
        )


async def _plan(connection: Connection, registry: Registry, plugin: str) -> PurgePlan:
    known = {row["name"] for row in await connection.fetch(SELECT_KNOWN_APPS)}
    if plugin not in known:
        raise NotFound(f"No plugin {plugin} has run on this database.")
    # The prefix of a plugin may begin that of another: kds_ and kds_screens_.
    others = tuple(
        f"{name}_" for name in known | {loaded.name for loaded in registry.plugins} if name.startswith(f"{plugin}_")
    )
    relations = [
        row for row in await connection.fetch(SELECT_RELATIONS, f"{plugin}_") if not row["name"].startswith(others)
    ]
    tables = [row["name"] for row in relations if not row["is_view"]]
    await _check_foreign_keys(connection, plugin, tables)
    functions = await connection.fetch(SELECT_FUNCTIONS, f"{plugin}_")
    contributed = await connection.fetchrow(SELECT_CONTRIBUTIONS, plugin)
    store_types, modes = (contributed["store_types"], contributed["modes"]) if contributed else ([], [])
    return PurgePlan(
        plugin=plugin,
        tables={name: await connection.fetchval(f"SELECT count(*) FROM {_quote(name)}") for name in tables},
        views=[
            f"{'MATERIALIZED VIEW' if row['is_materialized'] else 'VIEW'} {_quote(row['name'])}"
            for row in relations
            if row["is_view"]
        ],
        functions=[row["signature"] for row in functions if not row["name"].startswith(others)],
        settings=await connection.fetchval(COUNT_SETTINGS, plugin),
        migrations=await connection.fetchval(COUNT_MIGRATIONS, plugin),
        stores=await connection.fetchval(COUNT_STORES, store_types),
        orders=await connection.fetchval(COUNT_ORDERS, modes, store_types),
    )


async def _check_foreign_keys(connection: Connection, plugin: str, tables: Sequence[str]) -> None:
    found = await connection.fetch(SELECT_FOREIGN_KEYS, tables)
    if found:
        raise Conflict(
            f"The table {found[0]['referring']} refers to {found[0]['referred']} of the plugin {plugin}. "
            "Purge the plugin of that table first."
        )


def _list_statements(plan: PurgePlan) -> list[str]:
    statements = [f"DROP {view}" for view in plan.views]
    if plan.tables:
        # Together, because they may refer to each other.
        statements.append(f"DROP TABLE {', '.join(map(_quote, plan.tables))}")
    # With the triggers on tables of core that call them.
    return statements + [f"DROP FUNCTION {signature} CASCADE" for signature in plan.functions]


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
