"""Statistics of tables that grow fast.

PostgreSQL keeps the plan of a statement, or of the check of a foreign key, until the statistics of its tables change.
A plan that was made for a few rows reads the whole table, and autovacuum renews statistics once a minute at most: by
then a busy store has placed ten thousand orders, each of which read all orders before it.
"""

from typing import Final

from comanda.platform.db import sql

ANALYZE_TASK: Final = "analyze_grown_tables"
# With fewer pages a table is read as fast as an index; with more, autovacuum renews statistics early enough.
MIN_PAGES: Final = 4
MAX_PAGES: Final = 4000
# A table that has no statistics yet is planned as one of ten pages, which finds its indexes.
SELECT_GROWN_TABLES: Final = """
    SELECT c.oid::regclass::text AS name
    FROM pg_class c, LATERAL (SELECT pg_relation_size(c.oid) / current_setting('block_size')::int AS pages) AS size
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.reltuples >= 0
        AND pg_get_userbyid(c.relowner) = current_user
        AND size.pages BETWEEN $1 AND $2 AND size.pages >= 2 * c.relpages
"""


async def analyze_grown_tables() -> list[str]:
    """Renew the statistics of small tables that have doubled since the last time, and return their names."""
    names = [row["name"] for row in await sql.fetch(SELECT_GROWN_TABLES, MIN_PAGES, MAX_PAGES)]
    for name in names:
        await sql.execute(f"ANALYZE {name}")
    return names
