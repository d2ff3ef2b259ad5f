"""What happens by the clock: where drivers were is forgotten, and what deliveries looked like."""

from datetime import timedelta
from typing import Final

from comanda import clock
from comanda.db import sql

KEPT: Final = timedelta(days=30)
# A trail grows by a point a second and driver: one statement for a whole day would hold its locks for too long.
CHUNK: Final = 10_000
PRUNE: Final = """
    DELETE FROM drivers_trail WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM drivers_trail WHERE recorded_at < $1 ORDER BY recorded_at LIMIT $2)
"""
# Photos are large; that there was one stays.
PHOTOS_CHUNK: Final = 200
FORGET_PHOTOS: Final = """
    DELETE FROM drivers_photo WHERE (proof_id, owner_id) IN (
        SELECT proof_id, owner_id FROM drivers_photo WHERE taken_at < $1 ORDER BY taken_at LIMIT $2)
"""


async def prune() -> None:
    """Forget where drivers were, and what deliveries looked like, more than 30 days ago."""
    before = clock.now() - KEPT
    for statement, chunk in ((PRUNE, CHUNK), (FORGET_PHOTOS, PHOTOS_CHUNK)):
        while await sql.execute(statement, before, chunk) == chunk:
            pass
