"""Distribution of a database: refused without Citus, and repeatable on a cluster."""

import asyncpg
import pytest
from citus_cluster import CITUS_URL, NO_CLUSTER, create_cluster_database, distribute_database
from comanda.composition.bootstrap import start_runtime
from comanda.platform.db.lifecycle import parse_credentials
from comanda.platform.db.upgrade import upgrade_database
from comanda_cluster.services.distribution import steps

on_cluster = pytest.mark.skipif(CITUS_URL is None, reason=NO_CLUSTER)
TABLES = """
    CREATE TABLE core_owner (id bigint PRIMARY KEY);
    CREATE TABLE core_order (id bigint, owner_id bigint NOT NULL REFERENCES core_owner (id),
        PRIMARY KEY (id, owner_id));
    INSERT INTO core_owner SELECT generate_series(1, 20);
    INSERT INTO core_order SELECT id, id FROM core_owner
"""
LINES = """
    CREATE TABLE core_order_line (id bigint, owner_id bigint NOT NULL, order_id bigint NOT NULL,
        PRIMARY KEY (id, owner_id),
        FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id))
"""


async def run(url, statement, *values):
    connection = await asyncpg.connect(**parse_credentials(url))
    try:
        if values:
            return await connection.fetchval(statement, *values)
        return await connection.execute(statement)
    finally:
        await connection.close()


@pytest.mark.skipif(CITUS_URL is not None, reason="The database is on a cluster")
async def test_distribution_without_citus_is_refused(app, database_url):
    async with steps.open_session(database_url) as connection:
        with pytest.raises(steps.DistributionRefused) as refused:
            _ = [line async for line in steps.distribute(connection, [])]
        keys = await connection.fetchval("SELECT to_regclass('core_dropped_key')")

    assert str(refused.value).startswith("This database has no Citus: create the extension in it on each node")
    assert keys is None


@pytest.mark.skipif(CITUS_URL is not None, reason="The database is on a cluster")
async def test_upgrade_without_citus_distributes_nothing(app, database_url):
    assert await steps.update_distribution(database_url, []) == []


@on_cluster
async def test_interrupted_distribution_goes_on():
    url = create_cluster_database("comanda_interrupted")
    await run(url, TABLES)
    await run(url, LINES)

    async def interrupted():
        async with steps.open_session(url) as connection:
            async for line in steps.distribute(connection, []):
                if line.startswith("reference"):
                    raise KeyError(line)

    with pytest.raises(KeyError):
        await interrupted()
    kept = await run(url, "SELECT count(*) FROM core_dropped_key WHERE name <> $1", "")
    lines = distribute_database(url)

    assert kept == 2
    assert lines[-1] == "created 2 foreign keys"
    assert distribute_database(url) == []
    assert await run(url, "SELECT count(*) FROM core_order WHERE id > $1", 0) == 20
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await run(url, "INSERT INTO core_order_line VALUES (1, 2, 1)")


@on_cluster
async def test_table_that_a_migration_adds_is_distributed():
    url = create_cluster_database("comanda_new_table")
    await run(url, TABLES)
    distribute_database(url)
    await run(url, LINES)

    assert "distributed  core_order_line" in await steps.update_distribution(url, [])
    assert await steps.update_distribution(url, []) == []


@on_cluster
async def test_distribution_is_refused_while_processes_run(settings):
    url = create_cluster_database("comanda_in_use")
    await run(url, TABLES)
    user = await asyncpg.connect(**parse_credentials(url), server_settings={"application_name": "comanda"})
    try:
        with pytest.raises(steps.DistributionRefused, match="Stop all web and worker processes"):
            distribute_database(url)
    finally:
        await user.close()


@on_cluster
async def test_upgrade_of_a_distributed_database_leaves_nothing_to_do(app, settings):
    await upgrade_database(settings.database_url, settings, start_runtime(settings).registry)

    async with steps.open_session(settings.database_url) as connection:
        plan = await steps.read_plan(connection)

    assert plan.pending == ()
