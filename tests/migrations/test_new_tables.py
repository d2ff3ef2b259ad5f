"""New tables of migrations on a cluster."""

from comanda_migrations.new_tables import adapt_to_cluster

SCRIPT = """
CREATE TABLE orchard_tree (
    id bigint PRIMARY KEY
);
CREATE INDEX orchard_tree_by_id ON orchard_tree (id);
"""


class Connection:
    """A connection to a database with or without Citus."""

    def __init__(self, *, has_citus):
        self._has_citus = has_citus

    async def fetchval(self, _statement):
        return self._has_citus


async def test_only_new_tables_are_created_without_citus():
    adapted = await adapt_to_cluster(Connection(has_citus=True), SCRIPT)

    assert adapted == SCRIPT.replace(
        "CREATE TABLE", "SET LOCAL citus.enable_ddl_propagation = off;\nCREATE TABLE"
    ).replace("\n);\n", "\n);\nSET LOCAL citus.enable_ddl_propagation = on;\n")


async def test_script_for_a_single_server_is_unchanged():
    assert await adapt_to_cluster(Connection(has_citus=False), SCRIPT) == SCRIPT
