"""The plan for the tables of core and of all plugins, from the catalog of a migrated database."""

from contextlib import asynccontextmanager

import asyncpg
import pytest
from comanda.platform.db.lifecycle import parse_credentials
from comanda_cluster.services.distribution.catalog import read_tables
from comanda_cluster.services.distribution.plan import Placement, build_plan

# What is unique over all owners, and what that refers to.
REFERENCE_TABLES = {
    *("core_access_token", "core_owner", "core_store", "domains_host", "oauth_client", "oidc_identity"),
    *("reseller_account", "reseller_customer"),
}


@pytest.fixture
async def tables(app, database_url):
    async with connected(database_url) as connection:
        return await read_tables(connection)


@asynccontextmanager
async def connected(url):
    connection = await asyncpg.connect(**parse_credentials(url))
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def empty_url(new_database):
    return new_database("comanda_distribution_catalog")


@pytest.fixture
async def empty(empty_url):
    """Yield a connection to a database without tables."""
    async with connected(empty_url) as connection:
        await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        yield connection


async def test_tables_of_all_plugins_have_a_place(tables):
    plan = build_plan(tables)

    assert plan.problems == ()
    assert {each.table.name for each in plan.tables if each.placement is Placement.REFERENCE} == REFERENCE_TABLES
    # Rows of owners are distributed, all of them.
    assert [
        each.table.name
        for each in plan.tables
        if each.placement is Placement.LOCAL and each.table.owner_type is not None
    ] == []


async def test_table_of_a_strangers_plugin_is_planned(empty):
    await empty.execute("""
        CREATE TABLE core_owner (id bigint PRIMARY KEY);
        CREATE TABLE florist_bouquet (id bigint, owner_id bigint NOT NULL REFERENCES core_owner (id),
            name text, PRIMARY KEY (id, owner_id));
        CREATE TABLE florist_colour (id bigint PRIMARY KEY);
        CREATE TABLE florist_card (id bigint, owner_id bigint NOT NULL, code text UNIQUE, PRIMARY KEY (id, owner_id))
    """)

    plan = build_plan(await read_tables(empty))

    assert {each.table.name: each.placement for each in plan.tables} == {
        "core_owner": Placement.REFERENCE,
        "florist_bouquet": Placement.DISTRIBUTED,
        "florist_card": Placement.REFERENCE,
        "florist_colour": Placement.LOCAL,
    }


async def test_keys_that_an_interrupted_distribution_dropped_count(empty):
    await empty.execute("""
        CREATE TABLE core_owner (id bigint PRIMARY KEY);
        CREATE TABLE a_order (id bigint, owner_id bigint NOT NULL, PRIMARY KEY (id, owner_id));
        CREATE TABLE core_dropped_key (table_name text, name text, target text, definition text, pairs_owner boolean);
        INSERT INTO core_dropped_key VALUES ('a_order', 'a_order_owner', 'core_owner',
            'FOREIGN KEY (owner_id) REFERENCES core_owner(id)', false)
    """)

    plan = build_plan(await read_tables(empty))

    assert {each.table.name: each.placement for each in plan.tables}["core_owner"] is Placement.REFERENCE
