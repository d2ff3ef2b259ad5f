"""Models and tables."""

from comanda_migrations.differences import differences


async def test_models_match_the_migrated_tables(database_url, runtime):
    mine = [models for models in runtime.registry.models if models.app == "rental"]

    assert await differences(database_url, mine) == []
