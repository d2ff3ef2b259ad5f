"""Functions of a cluster run the statement of a single server on the node of the owner, also within a transaction."""

import dataclasses
import os

import asyncpg
import pytest
from citus_cluster import CITUS_URL, NO_CLUSTER, create_cluster_database, distribute_database
from comanda.contracts import ModelSet
from comanda.contracts.data.model_sets import NodeStatement
from comanda.platform.db.cluster import node_functions
from comanda.platform.db.connections.modes import CITUS_SETTINGS
from comanda.platform.db.lifecycle import parse_credentials
from comanda_cluster.services.distribution import steps

on_cluster = pytest.mark.skipif(CITUS_URL is None, reason=NO_CLUSTER)
TABLES = """
    CREATE TABLE core_owner (id bigint PRIMARY KEY, name text);
    CREATE TABLE core_order (id bigint, owner_id bigint NOT NULL REFERENCES core_owner (id), note text,
        PRIMARY KEY (id, owner_id));
    CREATE TABLE core_order_line (id bigint, owner_id bigint NOT NULL, order_id bigint NOT NULL,
        PRIMARY KEY (id, owner_id), FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id));
    INSERT INTO core_owner SELECT id, 'Owner ' || id || ' 100%' FROM generate_series(1, 20) AS id
"""
INSERT = NodeStatement(
    name="core_insert_one",
    text="""
        WITH made AS (INSERT INTO core_order (id, owner_id, note)
            SELECT $2, o.id, $3 FROM core_owner o WHERE o.id = $1 AND o.name LIKE '% 100%' RETURNING id, note),
        line AS (INSERT INTO core_order_line (id, owner_id, order_id) SELECT -made.id, $1, made.id FROM made)
        SELECT id, note FROM made""",
    tables=("core_owner", "core_order", "core_order_line"),
    parameters=("bigint", "bigint", "text"),
    columns=(("id", "bigint"), ("note", "text")),
)
CALL = node_functions.build_call(INSERT)
COUNT = "SELECT count(*) FROM core_order o JOIN core_order_line l ON l.order_id = o.id AND l.owner_id = o.owner_id"
# Where the shard of an owner is, and a node that may have it instead.
SELECT_MOVE = """
    SELECT s.shardid, s.nodename, s.nodeport, n.nodename AS to_name, n.nodeport AS to_port
    FROM pg_dist_shard_placement s JOIN pg_dist_node n ON n.shouldhaveshards AND n.nodeport <> s.nodeport
    WHERE s.shardid = get_shard_id_for_distribution_column('core_order', $1::bigint) LIMIT 1
"""
MOVE = "SELECT citus_move_shard_placement($1::bigint, $2::text, $3::int, $4::text, $5::int, 'block_writes')"


def models_of(*statements):
    return [ModelSet("core", (), "", node_statements=statements)]


@pytest.fixture
async def cluster_url():
    """Create a distributed database that has the function."""
    url = create_cluster_database(f"comanda_functions_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")
    plain = await asyncpg.connect(**parse_credentials(url))
    await plain.execute(TABLES)
    await plain.close()
    assert distribute_database(url, models_of(INSERT))[-1] == f"function     {node_functions.get_function_name(INSERT)}"
    return url


@pytest.fixture
async def connection(cluster_url):
    """Open a connection to the database, with the settings of the pool."""
    opened = await asyncpg.connect(**parse_credentials(cluster_url), server_settings=CITUS_SETTINGS)
    yield opened
    await opened.close()


def test_name_follows_what_the_function_does():
    other = dataclasses.replace(INSERT, text=INSERT.text.replace("SELECT id, note", "SELECT id, upper(note)"))

    name, others = node_functions.get_function_name(INSERT), node_functions.get_function_name(other)

    assert name != others
    assert name.rpartition("_")[0] == others.rpartition("_")[0] == "core_insert_one"
    assert node_functions.build_call(INSERT) == f"SELECT id, note FROM {name}($1, $2, $3)"


def test_statement_is_a_format_of_its_tables():
    body = node_functions._build_body(INSERT)

    assert "INSERT INTO %2$s (id, owner_id, note)" in body
    assert "INSERT INTO %3$s (id, owner_id, order_id)" in body
    assert "FROM %1$s o WHERE o.id = $1 AND o.name LIKE '%% 100%%'" in body
    assert "unnest('{core_owner,core_order,core_order_line}'::regclass[])" in body


@on_cluster
async def test_rows_of_all_owners_are_inserted_where_they_belong(connection):
    for owner_id in range(1, 21):
        row = await connection.fetchrow(CALL, owner_id, owner_id * 10, f"It's {owner_id} %")
        assert tuple(row) == (owner_id * 10, f"It's {owner_id} %")
    await connection.fetchrow(CALL, 99, 990, None)

    for owner_id in range(1, 21):
        assert await connection.fetchval(f"{COUNT} WHERE o.owner_id = $1", owner_id) == 1
    assert await connection.fetchval(COUNT) == 20


@on_cluster
async def test_refused_row_leaves_nothing_and_keeps_its_error(connection):
    await connection.fetchrow(CALL, 1, 1, None)

    with pytest.raises(asyncpg.UniqueViolationError, match="core_order_pkey"):
        await connection.fetchrow(CALL, 1, 1, None)

    assert await connection.fetchval(COUNT) == 1


@on_cluster
async def test_open_transaction_includes_the_function(connection):
    async def insert(*, is_committed):
        async with connection.transaction():
            for owner_id in range(1, 21):
                await connection.execute("UPDATE core_owner SET name = name || '!' WHERE id = $1", owner_id)
                await connection.fetchrow(CALL, owner_id, 1, None)
                assert await connection.fetchval(f"{COUNT} WHERE o.owner_id = $1", owner_id) == 1
            if not is_committed:
                raise KeyError

    with pytest.raises(KeyError):
        await insert(is_committed=False)
    before = await connection.fetchval(COUNT)
    await insert(is_committed=True)

    assert before == 0
    assert await connection.fetchval(COUNT) == 20


@on_cluster
async def test_rows_follow_a_shard_that_moves(connection):
    move = await connection.fetchrow(SELECT_MOVE, 7)
    if move is None:
        pytest.skip("The cluster has one node")
    shard, *places = move
    # So often that the statement is prepared on each node before and after.
    for round_, (origin, target) in enumerate([(places[:2], places[2:]), (places[2:], places[:2])] * 2):
        assert (await connection.fetchrow(CALL, 7, round_ * 2 + 1, None))["id"] == round_ * 2 + 1
        await connection.execute(MOVE, shard, *origin, *target)
        assert (await connection.fetchrow(CALL, 7, round_ * 2 + 2, None))["id"] == round_ * 2 + 2

    assert await connection.fetchval(COUNT) == 8


@on_cluster
async def test_function_writes_nothing_to_the_old_place_of_a_shard(connection, cluster_url):
    move = await connection.fetchrow(SELECT_MOVE, 7)
    if move is None:
        pytest.skip("The cluster has one node")
    place = {"host": move["to_name"], "port": move["to_port"]}
    elsewhere = await asyncpg.connect(**parse_credentials(cluster_url) | place)
    try:
        # As a call that was sent before the shard moved and arrives afterwards.
        await elsewhere.execute("SET application_name = 'citus_internal gpid=1'")
        with pytest.raises(asyncpg.SerializationError, match="The rows of owner 7 have moved to another node"):
            await elsewhere.fetch(CALL, 7, 1, None)
    finally:
        await elsewhere.close()

    assert await connection.fetchval(COUNT) == 0


@on_cluster
async def test_two_versions_of_a_function_work_side_by_side(connection, cluster_url):
    newer = dataclasses.replace(INSERT, text=INSERT.text.replace("SELECT id, note", "SELECT id, upper(note) AS note"))
    made = await steps.update_distribution(cluster_url, models_of(newer))
    again = await steps.update_distribution(cluster_url, models_of(newer))

    assert (made, again) == ([f"function     {node_functions.get_function_name(newer)}"], [])
    assert (await connection.fetchrow(CALL, 1, 1, "a"))["note"] == "a"
    assert (await connection.fetchrow(node_functions.build_call(newer), 1, 2, "a"))["note"] == "A"
    assert (await connection.fetchrow(CALL, 1, 3, "a"))["note"] == "a"
