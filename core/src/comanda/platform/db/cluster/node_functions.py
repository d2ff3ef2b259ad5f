"""Functions of a cluster, each for a ``NodeStatement``, that run on the node with the rows of the owner they name.

Citus sends a call to that node as it is, also within a transaction. There the function runs the statement on the
owner's shards, with a prepared statement for each shard and session. The name of a function ends with a hash of its
text, so processes of two versions find their own while one replaces the other.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final

import asyncpg

from comanda.contracts.data.model_sets import ModelSet, NodeStatement
from comanda.platform.db.lifecycle import LOCK_SECONDS

# All tables of owners have their rows where those of this table are.
FIRST_TABLE: Final = "core_order"
HAS_FUNCTION: Final = "SELECT to_regproc($1) IS NOT NULL"
# A shard that is being moved is locked for statements; afterwards its old place has no more rows to add to. The text of
# the statement is a format of the shards' names. Names of variables are not those of columns.
BODY: Final = """
DECLARE
    own_shard bigint := get_shard_id_for_distribution_column('{first_table}', $1);
    prepared text := '{name}_' || own_shard;
BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[own_shard]);
    IF NOT EXISTS (
        SELECT FROM pg_dist_placement p JOIN pg_dist_local_group USING (groupid) WHERE p.shardid = own_shard
    ) THEN
        RAISE 'The rows of owner % have moved to another node.', $1 USING ERRCODE = 'serialization_failure';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_prepared_statements s WHERE s.name = prepared) THEN
        EXECUTE (
            SELECT format('PREPARE ' || prepared || ' ({types}) AS ' || $statement${statement}$statement$,
                VARIADIC array_agg(shard_name(t.name, s.shardid) ORDER BY t.position))
            FROM unnest('{{{tables}}}'::regclass[]) WITH ORDINALITY AS t (name, position)
                JOIN pg_dist_shard s ON s.logicalrelid = t.name
                JOIN pg_dist_shard o ON coalesce(s.shardminvalue, o.shardminvalue) = o.shardminvalue
            WHERE o.shardid = own_shard);
    END IF;
    RETURN QUERY EXECUTE format('EXECUTE %I ({literals})', prepared, {parameters});
END
"""
# Sessions of nodes do not have the limits of the session on the coordinator.
CREATE_FUNCTION: Final = """
    CREATE FUNCTION {name} ({types}) RETURNS TABLE ({columns}) LANGUAGE plpgsql SET lock_timeout = {lock_timeout}
    AS $function${body}$function$
"""
# Without force_delegation it would run on the coordinator within a transaction.
DISTRIBUTE_FUNCTION: Final = """
    SELECT create_distributed_function($1::regprocedure, '$1', colocate_with => $2, force_delegation => true)
"""


async def create_functions(connection: "asyncpg.Connection[asyncpg.Record]", models: Sequence[ModelSet]) -> list[str]:
    """Create the functions that a distributed database lacks, and return their names. Those of other versions stay."""
    created = []
    for statement in [each for models_of in models for each in models_of.node_statements]:
        name = get_function_name(statement)
        if await connection.fetchval(HAS_FUNCTION, name):
            continue
        types = ", ".join(statement.parameters)
        async with connection.transaction():
            await connection.execute(_build_function(statement))
            await connection.execute(DISTRIBUTE_FUNCTION, f"{name}({types})", FIRST_TABLE)
        created.append(name)
    return created


def build_call(statement: NodeStatement) -> str:
    """Return the statement that calls a function, with the parameters and columns of its statement."""
    columns = ", ".join(column for column, _ in statement.columns)
    return f"SELECT {columns} FROM {get_function_name(statement)}({', '.join(_list_parameters(statement))})"


@lru_cache(maxsize=100)
def get_function_name(statement: NodeStatement) -> str:
    """Return the name of a statement's function."""
    made_of = f"{BODY}{CREATE_FUNCTION}{LOCK_SECONDS}{statement}"
    return f"{statement.name}_{sha256(made_of.encode()).hexdigest()[:8]}"


def _build_function(statement: NodeStatement) -> str:
    return CREATE_FUNCTION.format(
        name=get_function_name(statement),
        types=", ".join(statement.parameters),
        columns=", ".join(f"{column} {kind}" for column, kind in statement.columns),
        lock_timeout=LOCK_SECONDS * 1000,
        body=_build_body(statement),
    )


def _build_body(statement: NodeStatement) -> str:
    parameters = _list_parameters(statement)
    text = statement.text.replace("%", "%%")
    for position, table in enumerate(statement.tables, start=1):
        text = re.sub(rf"\b{table}\b", f"%{position}$s", text)
    return BODY.format(
        first_table=FIRST_TABLE,
        name=get_function_name(statement),
        types=", ".join(statement.parameters),
        statement=text,
        tables=",".join(statement.tables),
        literals=", ".join("%L" for _ in parameters),
        parameters=", ".join(parameters),
    )


def _list_parameters(statement: NodeStatement) -> list[str]:
    return [f"${number}" for number in range(1, len(statement.parameters) + 1)]
