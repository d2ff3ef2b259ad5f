"""Databases on a real Citus cluster, whose coordinator ``COMANDA_TEST_CITUS_URL`` names: its database ``postgres``.

The coordinator and its nodes are those that this database knows; each has the extension, and accepts the same user.
"""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from comanda.contracts.data.model_sets import ModelSet
from comanda_cluster.services.distribution import steps

CITUS_URL = os.environ.get("COMANDA_TEST_CITUS_URL")
NO_CLUSTER = "COMANDA_TEST_CITUS_URL names no Citus cluster"
SELECT_NODES = """
    SELECT nodename, nodeport, groupid = 0 AS is_coordinator, shouldhaveshards FROM pg_dist_node ORDER BY groupid
"""
# Few shards, since each table has as many on its nodes.
SHARDS = 6


def create_cluster_database(name: str) -> str:
    """Create an empty database on all nodes, replacing an existing one, and return its URL on the coordinator."""
    return _run(_create(name))


def distribute_database(url: str, models: Sequence[ModelSet] = ()) -> list[str]:
    """Distribute a database, and return the lines that the command prints."""

    async def run():
        async with steps.open_session(url) as connection:
            return [line async for line in steps.distribute(connection, models)]

    return _run(run())


async def _create(name: str) -> str:
    connection = await asyncpg.connect(CITUS_URL)
    try:
        nodes = await connection.fetch(SELECT_NODES)
    finally:
        await connection.close()
    for node in nodes:
        server = await asyncpg.connect(_to_url(node))
        try:
            await server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            await server.execute(f'CREATE DATABASE "{name}"')
            await server.execute(f'ALTER DATABASE "{name}" SET citus.shard_count = {SHARDS}')
        finally:
            await server.close()
        server = await asyncpg.connect(_to_url(node, name))
        try:
            await server.execute("CREATE EXTENSION citus")
        finally:
            await server.close()
    coordinator = await asyncpg.connect(_to_url(nodes[0], name))
    try:
        for node in nodes:
            add = "citus_set_coordinator_host" if node["is_coordinator"] else "citus_add_node"
            await coordinator.execute(f"SELECT {add}($1::text, $2::int)", node["nodename"], node["nodeport"])
            await coordinator.execute(
                "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)",
                node["nodename"],
                node["nodeport"],
                node["shouldhaveshards"],
            )
    finally:
        await coordinator.close()
    return urlunsplit(urlsplit(CITUS_URL)._replace(path=f"/{name}"))


def _to_url(node, database: str = "postgres") -> str:
    parts = urlsplit(CITUS_URL)
    login = parts.netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{login}@{node['nodename']}:{node['nodeport']}", path=f"/{database}"))


def _run(work):
    # Tests call this inside of their loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
