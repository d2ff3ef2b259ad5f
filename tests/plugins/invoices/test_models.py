"""Tables of invoices."""

from comanda_migrations.differences import differences


async def test_models_match_migrated_tables(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "invoices"]) == []
