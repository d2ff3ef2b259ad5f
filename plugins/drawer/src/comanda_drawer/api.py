"""For other plugins: which drawers of a store are open, and what was counted when they were closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.platform.db import sql

from comanda_drawer.events import ShiftClosed
from comanda_drawer.models import ShiftStatus

__all__ = ["CountedDrawer", "ShiftClosed", "list_counted_drawers", "list_open_drawers"]

SELECT_OPEN_DRAWERS: Final = f"""
    SELECT drawer FROM drawer_shift WHERE store_id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}'
    ORDER BY drawer
"""
SELECT_COUNTED: Final = f"""
    SELECT s.id AS shift_id, s.owner_id, s.store_id, s.closed_at, s.difference_minor::bigint
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN drawer_shift s ON s.id = requested.id AND s.owner_id = requested.owner_id
    WHERE s.status = '{ShiftStatus.CLOSED}'
    ORDER BY s.id
"""


@dataclass(frozen=True, slots=True)
class CountedDrawer:
    """A drawer at the end of its shift. ``difference_minor`` is what was counted less what should have been there."""

    shift_id: int
    owner_id: int
    store_id: int
    closed_at: datetime
    difference_minor: int


async def list_open_drawers(owner_id: int, store_id: int) -> list[str]:
    """List the names of the drawers that have an open shift."""
    return [row["drawer"] for row in await sql.fetch(SELECT_OPEN_DRAWERS, store_id, owner_id)]


async def list_counted_drawers(shift_ids: Sequence[int], owner_ids: Sequence[int]) -> list[CountedDrawer]:
    """Return the drawers of shifts that are closed; shifts are given as their ids and owners."""
    rows = await sql.fetch(SELECT_COUNTED, list(shift_ids), list(owner_ids))
    return [CountedDrawer(**row) for row in rows]
