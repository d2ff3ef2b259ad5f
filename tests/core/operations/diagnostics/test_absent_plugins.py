"""What plugins left behind is named, with the plugin."""

import asyncpg
import pytest
from comanda.composition import plugin_loader, registry
from comanda.operations.diagnostics.absent_plugins import check_absent_plugins
from comanda.operations.diagnostics.results import CheckStatus
from comanda_migrations import runner

REMAINS = """
    INSERT INTO core_owner (id, email, name, created_at) VALUES (3, 'ana@example.com', 'Ana', now());
    INSERT INTO core_store (id, owner_id, title, slug, store_type, currency, timezone, created_at)
    VALUES (7, 3, 'Tools', 'tools', 'rental', 'EUR', 'UTC', now());
    INSERT INTO core_plugin (name, distribution, version, contributes, last_seen_at)
    VALUES ('rental', 'tool-rental', '2.1', '{"vertical": ["rental"], "fulfillment mode": ["by_the_day"]}', now());
    INSERT INTO core_store_setting (owner_id, store_id, plugin, values, updated_at)
    VALUES (3, 7, 'rental', '{}', now());
    CREATE TABLE rental_tool (id bigint PRIMARY KEY);
    CREATE TABLE rental_plus_crane (id bigint PRIMARY KEY);
"""


@pytest.fixture
def core():
    return registry.gather(plugin_loader.load([]))


@pytest.fixture
def empty_database(new_database):
    return new_database("comanda_test_absent")


@pytest.fixture
async def connection(empty_database, core):
    await runner.migrate(empty_database, core.models)
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def find(connection, core):
    return [(one.subject, one.status, one.found, one.advice) async for one in check_absent_plugins(connection, core)]


async def test_nothing_left_behind_is_nothing_to_report(connection, core):
    assert await find(connection, core) == []


async def test_stores_tables_and_settings_are_named(connection, core):
    await connection.execute(REMAINS)

    stores, plugins = await find(connection, core)

    assert stores == (
        "stores",
        CheckStatus.PROBLEM,
        "1 store of the type rental, whose plugin rental is not enabled",
        "They take no orders. Install tool-rental or enable it.",
    )
    assert plugins[:2] == ("plugins", CheckStatus.OK)
    assert "rental 2.1 is not enabled; rental_plus_crane, rental_tool, its settings of 1 store stay." in plugins[2]
    assert "`comanda plugins remove rental --purge --dry-run`" in plugins[2]


async def test_tables_of_a_plugin_with_a_longer_name_are_its_own(connection, core):
    await connection.execute(REMAINS)
    await connection.execute(
        "INSERT INTO core_plugin (name, distribution, version, contributes, last_seen_at)"
        " VALUES ('rental_plus', 'rental-plus', '1', '{}', now())"
    )

    _, rental, plus = await find(connection, core)

    assert "rental_tool, its settings of 1 store stay" in rental[2]
    assert "rental_plus_crane" not in rental[2]
    assert "rental_plus 1 is not enabled; rental_plus_crane stay." in plus[2]
