"""Which tables of the open database are distributed, for statements that have another form there."""

from collections.abc import Iterable
from typing import Final
from weakref import WeakKeyDictionary

from tortoise.context import TortoiseContext, require_context

from comanda.platform.db import sql

HAS_CITUS: Final = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
SELECT_DISTRIBUTED: Final = """
    SELECT c.relname::text AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE p.partmethod = 'h' AND c.relnamespace = 'public'::regnamespace
"""

# By open database. Processes are stopped while tables are distributed, so each reads this once.
_distributed: Final[WeakKeyDictionary[TortoiseContext, frozenset[str]]] = WeakKeyDictionary()


async def is_distributed(table: str) -> bool:
    """Return whether the rows of a table are distributed over the nodes of a cluster."""
    context = require_context()
    if context not in _distributed:
        rows = await sql.fetch(SELECT_DISTRIBUTED) if await sql.fetch_value(HAS_CITUS) else []
        _distributed[context] = frozenset(row["name"] for row in rows)
    return table in _distributed[context]


async def split_by_statement(table: str, owner_ids: Iterable[int]) -> list[list[int]]:
    """Return owners in the groups whose rows of a table one statement may change.

    Each owner is one if the table is distributed, because a statement with locks or subqueries runs on one shard.
    """
    owners = sorted(set(owner_ids))
    return [[owner_id] for owner_id in owners] if await is_distributed(table) else [owners]
