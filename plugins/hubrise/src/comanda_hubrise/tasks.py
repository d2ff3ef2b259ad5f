"""Scheduled tasks: delete what is known of old orders of HubRise."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

KEEP: Final = timedelta(days=90)
CHUNK_SIZE: Final = 1000
DELETE_OLD: Final = """
    DELETE FROM hubrise_order WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM hubrise_order WHERE created_at < $1 AND next_attempt_at IS NULL LIMIT $2)
"""


async def prune_orders() -> None:
    """Delete the rows of old orders for which nothing is to be done any more; the orders here stay."""
    before = clock.now() - KEEP
    while await sql.execute(DELETE_OLD, before, CHUNK_SIZE) == CHUNK_SIZE:
        pass
