"""Periodic tasks."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

RETENTION: Final = timedelta(days=30)
# Trails grow by up to one point per second and driver: one statement for a whole day would hold locks for too long.
TRAIL_BATCH_SIZE: Final = 10_000
DELETE_OLD_TRAIL: Final = """
    DELETE FROM drivers_trail WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM drivers_trail WHERE recorded_at < $1 ORDER BY recorded_at LIMIT $2)
"""
# Photos are large. Their proofs stay.
PHOTO_BATCH_SIZE: Final = 200
DELETE_OLD_PHOTOS: Final = """
    DELETE FROM drivers_photo WHERE (proof_id, owner_id) IN (
        SELECT proof_id, owner_id FROM drivers_photo WHERE taken_at < $1 ORDER BY taken_at LIMIT $2)
"""


async def delete_expired_data() -> None:
    """Delete trails and proof photos that are older than 30 days."""
    before = clock.now() - RETENTION
    for statement, chunk in ((DELETE_OLD_TRAIL, TRAIL_BATCH_SIZE), (DELETE_OLD_PHOTOS, PHOTO_BATCH_SIZE)):
        while await sql.execute(statement, before, chunk) == chunk:
            pass
