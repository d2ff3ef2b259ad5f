"""Scheduled tasks: delete what is known of old orders of Deliverect."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql
from comanda_foreign_orders.api import LinkState

KEEP: Final = timedelta(days=90)
# An order that could not be decided on for so long is nobody's dinner any more; it says who ordered.
KEEP_DOCUMENT: Final = timedelta(days=1)
CHUNK_SIZE: Final = 1000
GIVE_UP: Final = f"""
    UPDATE deliverect_order SET document = NULL, state = '{LinkState.REJECTED}', reason = error, next_attempt_at = NULL
    WHERE state = '{LinkState.WAITING}' AND created_at < $1
"""
DELETE_OLD: Final = """
    DELETE FROM deliverect_order WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM deliverect_order WHERE created_at < $1 AND next_attempt_at IS NULL LIMIT $2)
"""


async def prune_orders() -> None:
    """Delete the rows of old orders with nothing left to do, and what guests wrote in those that nobody could place."""
    moment = clock.now()
    await sql.execute(GIVE_UP, moment - KEEP_DOCUMENT)
    while await sql.execute(DELETE_OLD, moment - KEEP, CHUNK_SIZE) == CHUNK_SIZE:
        pass
