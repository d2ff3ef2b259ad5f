"""New tables of a migration on a database that is distributed over a Citus cluster.

A table is created on the coordinator and distributed afterwards, by who calls ``migrate``. Citus refuses foreign keys
from it to distributed tables meanwhile, unless the table is created without Citus.
"""

import re
from typing import Final

import asyncpg

HAS_CITUS: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
CREATE_TABLE: Final = re.compile(r"^[ \t]*CREATE TABLE\b.*?;[ \t]*$", re.IGNORECASE | re.MULTILINE | re.DOTALL)
WITHOUT_CITUS: Final = (
    "SET LOCAL citus.enable_ddl_propagation = off;\n{0}\nSET LOCAL citus.enable_ddl_propagation = on;"
)


async def adapt_to_cluster(connection: "asyncpg.Connection[asyncpg.Record]", script: str) -> str:
    """Return a script that creates its tables without Citus, if the database has it; else the script itself."""
    if not await connection.fetchval(HAS_CITUS):
        return script
    return CREATE_TABLE.sub(lambda found: WITHOUT_CITUS.format(found[0]), script)
