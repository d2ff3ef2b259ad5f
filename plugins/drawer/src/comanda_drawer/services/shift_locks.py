"""A shift's row is its lock: whoever books cash in it or closes it holds the row until their transaction ends.

The sum is read in a statement after the one that locks, so that it sees what was booked while that one waited.
"""

from comanda.db import sql
from comanda.errors import Conflict, NotFound

from comanda_drawer import settings
from comanda_drawer.models import ShiftStatus
from comanda_drawer.services.shift_reports import SELECT_SHIFT, SUM_MOVEMENTS

LOCK_SHIFT = f"{SELECT_SHIFT} FOR NO KEY UPDATE"
LOCK_OPEN_SHIFT = f"""
    SELECT id FROM drawer_shift WHERE id = $1 AND owner_id = $2 AND status = '{ShiftStatus.OPEN}' FOR NO KEY UPDATE
"""
SELECT_EXPECTED = f"{SUM_MOVEMENTS} WHERE m.shift_id = $1 AND m.owner_id = $2"


async def lock_shift(owner_id: int, store_id: int, shift_id: int) -> sql.Row:
    """Return a shift, locked, whatever its status. Raises ``NotFound``."""
    found = await sql.fetch_one(LOCK_SHIFT, shift_id, owner_id, store_id)
    if found is None:
        raise NotFound
    return found


async def lock_open_shift(owner_id: int, shift_id: int) -> bool:
    """Lock a shift; False where it is not open, be it that it was closed at this moment."""
    return await sql.fetch_value(LOCK_OPEN_SHIFT, shift_id, owner_id) is not None


async def get_expected_minor(owner_id: int, shift_id: int) -> int:
    """Tell what should be in the drawer of a shift that is locked."""
    return int(await sql.fetch_value(SELECT_EXPECTED, shift_id, owner_id))


async def check_cash_available(owner_id: int, shift_id: int, taken_minor: int) -> None:
    """Raise ``Conflict`` with the reason ``drawer_short`` for more than a locked shift has, if that is refused."""
    if settings.get_settings().refuse_short and taken_minor > await get_expected_minor(owner_id, shift_id):
        raise Conflict("There should not be that much cash in the drawer.", extras={"reason": "drawer_short"})


def build_closed_error() -> Conflict:
    """Make the refusal of anything that needs an open shift."""
    return Conflict("This shift has been closed.", extras={"reason": "shift_closed"})
