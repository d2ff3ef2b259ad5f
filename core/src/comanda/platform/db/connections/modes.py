"""How connections reach the server: each with a session of its own, or through a pooler in transaction mode."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from comanda.platform.db.connections.keepalive import SERVER_SETTINGS
from comanda.platform.db.connections.pooled import PooledConnection
from comanda.platform.db.connections.pooler import UnnamedStatements, limit_transactions

MAX_PREPARED_STATEMENTS: Final = 500
# Those of them that have not been used for long make room for others. A timer for each would hold the context of the
# request that used it first, and with it what that request has read.
UNTIMED_STATEMENTS: Final = {"max_cached_statement_lifetime": 0}
# Servers without Citus ignore these.
CITUS_SETTINGS: Final = {
    # Citus hides its shards from queries of the catalog with a function call per table, which makes the query that
    # asyncpg asks about types take seconds.
    "citus.override_table_visibility": "off",
    # A transaction that changes several shards of a table may also change a table that each node has a copy of.
    "citus.multi_shard_modify_mode": "sequential",
}


class ConnectionMode(StrEnum):
    """A way to the server. A pooler may keep track of prepared statements, which it then lets connections use."""

    DIRECT = "direct"
    POOLED = "pooled"
    POOLED_AND_PREPARED = "pooled-and-prepared"


def get_session_options(mode: ConnectionMode, limits: Mapping[str, str]) -> dict[str, Any]:
    """Return options of asyncpg that apply ``limits``, which are settings of PostgreSQL, in the given mode."""
    session = {"application_name": "comanda", "timezone": "UTC"}
    if mode is ConnectionMode.DIRECT:
        return {
            "connection_class": PooledConnection,
            "statement_cache_size": MAX_PREPARED_STATEMENTS,
            **UNTIMED_STATEMENTS,
            "server_settings": {**session, **SERVER_SETTINGS, **CITUS_SETTINGS, **limits},
        }
    is_prepared = mode is ConnectionMode.POOLED_AND_PREPARED
    return {
        "connection_class": limit_transactions(PooledConnection if is_prepared else UnnamedStatements, limits),
        "statement_cache_size": MAX_PREPARED_STATEMENTS if is_prepared else 0,
        **UNTIMED_STATEMENTS,
        # A pooler sets these two for whoever uses a connection of the server, and refuses all others.
        "server_settings": session,
    }
