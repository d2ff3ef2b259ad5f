"""For other plugins: which drawers of a store are open."""

from typing import Final

from comanda.platform.db import sql

from comanda_drawer.models import ShiftStatus

SELECT_OPEN_DRAWERS: Final = f"""
    SELECT drawer FROM drawer_shift WHERE store_id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}'
    ORDER BY drawer
"""


async def list_open_drawers(owner_id: int, store_id: int) -> list[str]:
    """List the names of the drawers that have an open shift."""
    return [row["drawer"] for row in await sql.fetch(SELECT_OPEN_DRAWERS, store_id, owner_id)]
