"""The background task of collection."""

from datetime import timedelta

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_collection.services.slots import RETENTION_DAYS

BATCH_SIZE = 1000
DELETE_OLD_SLOTS = """
    DELETE FROM collection_slot WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM collection_slot WHERE starts_at < $1 LIMIT $2)
"""


async def delete_old_slots() -> None:
    """Delete slots that can no longer be listed; orders keep their times."""
    # One more day, as days end later in some time zones than in others.
    before = clock.now() - timedelta(days=RETENTION_DAYS + 2)
    while await sql.execute(DELETE_OLD_SLOTS, before, BATCH_SIZE) == BATCH_SIZE:
        pass
