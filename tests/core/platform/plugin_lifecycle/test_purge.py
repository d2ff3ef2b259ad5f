"""Purging a plugin deletes what it stored, and nothing else."""

import pytest
from comanda.basics.errors import Conflict, NotFound
from comanda.platform.plugin_lifecycle.purge import PurgePlan, plan_purge, purge
from comanda.platform.plugin_lifecycle.records import record_plugins

TABLES = "SELECT relname::text FROM pg_class WHERE starts_with(relname, 'rental') AND relkind IN ('r', 'v') ORDER BY 1"
PLAN = PurgePlan(
    plugin="rental",
    tables={"rental_booking": 0, "rental_tool": 2},
    views=['VIEW "rental_free"'],
    functions=["rental_count()"],
    settings=1,
    migrations=1,
    stores=1,
    orders=0,
)


@pytest.fixture
async def tables(connection, remains):
    async def load():
        return [row["relname"] for row in await connection.fetch(TABLES)]

    return load


@pytest.fixture
async def removed(url, with_rental, without_rental, remains):
    await record_plugins(url, with_rental)
    await record_plugins(url, without_rental)


@pytest.mark.usefixtures("removed")
async def test_plan_changes_nothing(url, without_rental, tables):
    before = await tables()

    assert await plan_purge(url, without_rental, "rental") == PLAN

    assert await tables() == before


@pytest.mark.usefixtures("removed")
async def test_purge_deletes_everything_of_the_plugin(url, connection, without_rental, tables):
    assert await purge(url, without_rental, "rental") == PLAN

    assert await tables() == ["rental_plus_crane"]
    kept = await connection.fetch("SELECT plugin FROM core_store_setting")
    assert [row["plugin"] for row in kept] == ["other"]
    assert await connection.fetchval("SELECT count(*) FROM aerich WHERE app = 'rental'") == 0
    assert await connection.fetchval("SELECT count(*) FROM aerich WHERE app = 'rental_plus'") == 1
    assert await connection.fetchval("SELECT count(*) FROM core_plugin WHERE name = 'rental'") == 0
    # The store stays, and new ones need no trigger of the plugin.
    await connection.execute("UPDATE core_store SET slug = 'tool-hire' WHERE id = 7")
    assert await connection.fetchval("SELECT count(*) FROM pg_trigger WHERE tgname = 'rental_count'") == 0


@pytest.mark.usefixtures("remains")
async def test_plugin_in_use_is_not_purged(url, with_rental, tables):
    before = await tables()

    with pytest.raises(Conflict, match="The plugin rental is in use"):
        await purge(url, with_rental, "rental")

    assert await tables() == before


@pytest.mark.parametrize("name", ["core", "nobody"])
async def test_unknown_plugins_and_core_are_not_purged(url, without_rental, name):
    with pytest.raises((Conflict, NotFound)):
        await purge(url, without_rental, name)


@pytest.mark.usefixtures("remains")
async def test_table_of_another_plugin_that_refers_to_it_stops_the_purge(url, connection, without_rental, tables):
    await connection.execute("CREATE TABLE other_rack (tool_id bigint REFERENCES rental_tool (id))")
    before = await tables()

    with pytest.raises(Conflict, match="The table other_rack refers to rental_tool of the plugin rental"):
        await purge(url, without_rental, "rental")

    assert await tables() == before
