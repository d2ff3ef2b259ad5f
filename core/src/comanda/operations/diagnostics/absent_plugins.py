"""Checks for what plugins left behind that are no longer installed: stores, orders, tables and settings."""

from collections.abc import AsyncIterator, Collection

import asyncpg

from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem

SELECT_ABSENT_PLUGINS = """
    SELECT name::text, distribution::text, version::text,
           array(SELECT jsonb_array_elements_text(contributes -> 'vertical')) AS store_types,
           array(SELECT jsonb_array_elements_text(contributes -> 'fulfillment mode')) AS modes
    FROM core_plugin WHERE NOT name = ANY ($1::text[]) ORDER BY name
"""
COUNT_STORES_BY_TYPE = """
    SELECT store_type::text AS code, count(*) AS number FROM core_store
    WHERE NOT store_type = ANY ($1::text[]) GROUP BY 1 ORDER BY 1
"""
COUNT_ORDERS_BY_MODE = """
    SELECT type::text AS code, count(*) AS number FROM core_order
    WHERE NOT type = ANY ($1::text[]) GROUP BY 1 ORDER BY 1
"""
SELECT_TABLES = """
    SELECT relname::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND starts_with(relname, $1 || '_')
    ORDER BY 1
"""
COUNT_SETTINGS = "SELECT count(*) FROM core_store_setting WHERE plugin = $1"


async def check_absent_plugins(
    connection: "asyncpg.Connection[asyncpg.Record]", registry: Registry
) -> AsyncIterator[CheckResult]:
    """Check a migrated database for data whose plugin is absent. Stores of an absent plugin are a problem."""
    loaded = [plugin.name for plugin in registry.plugins]
    absent = await connection.fetch(SELECT_ABSENT_PLUGINS, loaded)
    for row in await connection.fetch(COUNT_STORES_BY_TYPE, list(registry.verticals)):
        plugin = _find_plugin(absent, "store_types", row["code"])
        yield report_problem(
            "stores",
            f"{_format(row['number'], 'store')} of the type {row['code']}, whose plugin {_name(plugin)} is not enabled",
            f"They take no orders. Install {plugin['distribution'] if plugin else 'the plugin'} or enable it.",
        )
    for row in await connection.fetch(COUNT_ORDERS_BY_MODE, list(registry.fulfillment_modes)):
        plugin = _find_plugin(absent, "modes", row["code"])
        yield report_ok(
            "orders",
            f"{_format(row['number'], 'order')} of the mode {row['code']}, whose plugin {_name(plugin)} is not enabled",
        )
    for found in absent:
        if kept := await _describe_kept_data(connection, found["name"], [*loaded, *(one["name"] for one in absent)]):
            purge = f"`comanda plugins remove {found['name']} --purge --dry-run` shows what can be deleted"
            yield report_ok("plugins", f"{found['name']} {found['version']} is not enabled; {kept} stay. {purge}")


def _find_plugin(absent: Collection[asyncpg.Record], column: str, code: str) -> asyncpg.Record | None:
    return next((row for row in absent if code in row[column]), None)


def _name(plugin: asyncpg.Record | None) -> str:
    return str(plugin["name"]) if plugin is not None else "(unknown)"


def _format(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


async def _describe_kept_data(
    connection: "asyncpg.Connection[asyncpg.Record]", plugin: str, known: Collection[str]
) -> str | None:
    others = tuple(f"{name}_" for name in known if name.startswith(f"{plugin}_"))
    tables = [row["relname"] for row in await connection.fetch(SELECT_TABLES, plugin)]
    parts = [table for table in tables if not table.startswith(others)]
    if settings := await connection.fetchval(COUNT_SETTINGS, plugin):
        parts.append(f"its settings of {_format(settings, 'store')}")
    return ", ".join(parts) or None
