"""What is done to a database before it is used: migrations, then the encryption of what is still plain."""

from collections.abc import Sequence

from comanda_migrations import runner

from comanda.contracts.model_sets import ModelSet
from comanda.encryption import columns
from comanda.settings import Settings


async def upgrade_database(url: str, settings: Settings, models: Sequence[ModelSet]) -> list[runner.AppliedStep]:
    """Apply migrations and encrypt plain secrets; return the migrations applied.

    Any number of processes may do so at once. Raises ``MigrationError``, and ``StartupError`` where an encryption key
    is missing.
    """
    applied = await runner.migrate(url, models)
    await columns.prepare(url, settings, models)
    return applied
