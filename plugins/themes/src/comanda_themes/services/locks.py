"""The lock under which an owner's themes change: no content is deleted while a version begins to use it."""

from typing import Final

from comanda.platform.db import sql

LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


async def lock_library(owner_id: int) -> None:
    """Wait for other changes of an owner's themes, and keep them waiting until the open transaction ends."""
    await sql.execute(LOCK, f"themes:{owner_id}")
