"""Log tables in partitions by id, one for each week or month: created ahead, and dropped when they are old."""

from typing import Final

from comanda.platform.db import sql

IS_PARTITIONED: Final = "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass($1)"


async def is_partitioned(table: str) -> bool:
    """Return whether a log table is partitioned, so that its old rows are not to be deleted one by one."""
    return bool(await sql.fetch_value(IS_PARTITIONED, table))
