"""Upgrade of a database before use: migrations, the place of new tables in a cluster, encryption of secrets."""

from typing import Final

from comanda_migrations import runner

from comanda.basics.startup_errors import StartupError
from comanda.contracts.registry import Registry
from comanda.platform.db.cluster.placements import HAS_CITUS
from comanda.platform.db.connections.single import connect
from comanda.platform.encryption import columns
from comanda.platform.settings import Settings

ARE_PARTITIONED: Final = "SELECT EXISTS (SELECT FROM pg_class WHERE relkind = 'p' AND relname = ANY($1::text[]))"
ARE_DISTRIBUTED: Final = "SELECT EXISTS (SELECT FROM pg_dist_partition)"


async def upgrade_database(url: str, settings: Settings, registry: Registry) -> list[runner.AppliedStep]:
    """Apply migrations and encrypt plain-text secrets; return the applied migrations.

    If the database is distributed over a cluster, new tables are, too, and it gets the functions of this version.
    Safe to run in several processes at once. Raises ``MigrationError``, and ``StartupError`` where an encryption key
    or the plugin of a distributed or partitioned database is missing.
    """
    if not registry.database_upkeep and await _needs_upkeep(url, registry):
        raise StartupError(
            "This database is distributed over nodes, or has log tables in partitions. Install the plugin that keeps "
            "them up, comanda-cluster; without it new rows would soon be refused."
        )
    applied = await runner.migrate(url, registry.models)
    for upkeep in registry.database_upkeep:
        await upkeep.after_migrations(url, registry.models)
    await columns.prepare_columns(url, settings, registry.models)
    return applied


async def _needs_upkeep(url: str, registry: Registry) -> bool:
    """Return whether tables are distributed, or log tables partitioned, whose partitions somebody has to create."""
    logs = [table.name for models in registry.models for table in models.logs]
    async with connect(url) as connection:
        return bool(
            await connection.fetchval(ARE_PARTITIONED, logs)
            or (await connection.fetchval(HAS_CITUS) and await connection.fetchval(ARE_DISTRIBUTED))
        )
