"""What happens by the clock: slots that are long over are forgotten."""

from datetime import timedelta

from comanda import clock
from comanda.db import sql

from comanda_collection.services import KEPT_DAYS

CHUNK = 1000
PRUNE = """
    DELETE FROM collection_slot WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM collection_slot WHERE starts_at < $1 LIMIT $2)
"""


async def prune() -> None:
    """Forget the counts of slots that nobody can ask for any more; orders keep their times."""
    # A day more than can be asked for, as days end later in some time zones than in others.
    before = clock.now() - timedelta(days=KEPT_DAYS + 2)
    while await sql.execute(PRUNE, before, CHUNK) == CHUNK:
        pass
