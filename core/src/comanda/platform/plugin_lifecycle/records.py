"""The record of which plugins run on a database, and since when others have been away."""

import orjson

from comanda.basics import clock
from comanda.contracts.registry import Registry
from comanda.platform.db.connections.single import connect

# What a purge and `comanda doctor` need to know of a plugin that is gone, by its label among the contributions.
KEPT_CONTRIBUTIONS = ("table", "vertical", "fulfillment mode", "payment method")

# One order for all processes, so that two that start at once do not wait for each other's rows.
SAVE_PLUGINS = """
    INSERT INTO core_plugin (name, distribution, version, contributes, last_seen_at)
    SELECT name, distribution, version, contributes::jsonb, $5
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS loaded (name, distribution, version, contributes)
    ORDER BY name
    ON CONFLICT (name) DO UPDATE SET distribution = excluded.distribution, version = excluded.version,
        contributes = excluded.contributes, last_seen_at = excluded.last_seen_at
"""
MARK_AWAY = "UPDATE core_plugin SET away_since = last_seen_at WHERE away_since IS NULL AND NOT name = ANY ($1::text[])"
# A plugin without a reconciler has nothing to catch up on.
MARK_BACK = "UPDATE core_plugin SET away_since = NULL WHERE away_since IS NOT NULL AND name = ANY ($1::text[])"


async def record_plugins(url: str, registry: Registry) -> None:
    """Record the loaded plugins of a migrated database as running, and all others as away."""
    loaded = registry.plugins
    names = [plugin.name for plugin in loaded]
    contributes = [
        orjson.dumps({label: registry.contributions[name].get(label, ()) for label in KEPT_CONTRIBUTIONS}).decode()
        for name in names
    ]
    columns = (names, [plugin.distribution for plugin in loaded], [plugin.version for plugin in loaded], contributes)
    async with connect(url) as connection, connection.transaction():
        await connection.execute(SAVE_PLUGINS, *columns, clock.now())
        await connection.execute(MARK_AWAY, names)
        await connection.execute(MARK_BACK, [name for name in names if name not in registry.reconcilers])
