"""Locks on shifts: recording a movement and closing both hold the shift's row until their transaction ends.

The sum is read in a statement after the one that locks, so that it includes what was recorded while that one waited.
"""

from comanda.basics import Conflict, Sentence
from comanda.platform.db import sql

from comanda_drawer import settings
from comanda_drawer.models import ShiftStatus
from comanda_drawer.services.shift_reports import SELECT_SHIFT, SUM_MOVEMENTS

LOCK_SHIFT = f"{SELECT_SHIFT} FOR NO KEY UPDATE"
LOCK_OPEN_SHIFT = f"""
    SELECT id FROM drawer_shift WHERE id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}' FOR NO KEY UPDATE
"""
SELECT_EXPECTED = f"{SUM_MOVEMENTS} WHERE m.shift_id = $1 AND m.owner_id = $2"


async def lock_shift(owner_id: int, store_id: int, shift_id: int) -> sql.Row:
    """Lock a shift of any status and return it. Raises ``NotFound``."""
    return await sql.require_one(LOCK_SHIFT, shift_id, owner_id, store_id)


async def lock_open_shift(owner_id: int, shift_id: int) -> bool:
    """Lock a shift and return whether it is open; it may have been closed concurrently."""
    return await sql.fetch_value(LOCK_OPEN_SHIFT, shift_id, owner_id) is not None


async def get_expected_minor(owner_id: int, shift_id: int) -> int:
    """Return the expected cash of a locked shift."""
    return int(await sql.fetch_value(SELECT_EXPECTED, shift_id, owner_id))


async def check_cash_available(owner_id: int, shift_id: int, taken_minor: int) -> None:
    """Raise ``Conflict`` with the reason ``drawer_short`` if a locked shift holds less and the settings refuse that."""
    if settings.get_settings().refuse_short and taken_minor > await get_expected_minor(owner_id, shift_id):
        raise Conflict(Sentence("The drawer does not hold that much cash."), extras={"reason": "drawer_short"})


def build_closed_error() -> Conflict:
    """Return the error for operations that need an open shift."""
    return Conflict(Sentence("This shift is closed."), extras={"reason": "shift_closed"})
