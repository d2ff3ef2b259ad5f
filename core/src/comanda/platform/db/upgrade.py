"""Upgrade of a database before use: migrations, the place of new tables in a cluster, encryption of secrets."""

from collections.abc import Sequence

from comanda_migrations import runner

from comanda.contracts.model_sets import ModelSet
from comanda.platform.db.distribution.steps import update_distribution
from comanda.platform.encryption import columns
from comanda.platform.settings import Settings


async def upgrade_database(url: str, settings: Settings, models: Sequence[ModelSet]) -> list[runner.AppliedStep]:
    """Apply migrations and encrypt plain-text secrets; return the applied migrations.

    If the database is distributed over a cluster, new tables are, too, and it gets the functions of this version.
    Safe to run in several processes at once. Raises ``MigrationError``, and ``StartupError`` where an encryption key
    is missing.
    """
    applied = await runner.migrate(url, models)
    await update_distribution(url, models)
    await columns.prepare_columns(url, settings, models)
    return applied
