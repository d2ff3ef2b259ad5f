"""Scheduled tasks: delete what was printed long ago."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_printing import settings

CHUNK_SIZE: Final = 1000
DELETE_OLD: Final = """
    DELETE FROM printing_job WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM printing_job WHERE created_at < $1 AND next_attempt_at IS NULL LIMIT $2)
"""


async def prune_jobs() -> None:
    """Delete the jobs that are kept no longer."""
    before = clock.now() - timedelta(days=settings.get_settings().keep_days)
    while await sql.execute(DELETE_OLD, before, CHUNK_SIZE) == CHUNK_SIZE:
        pass
