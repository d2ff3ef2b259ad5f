"""The caller's store as a pharmacy, and the members of its staff who are pharmacists."""

from collections.abc import Sequence
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Forbidden, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import find_vertical
from comanda_staff.api import find_staff_ids

from comanda_pharmacy.item_capabilities import MEDICINE
from comanda_pharmacy.records import Pharmacists

SELECT_STORE: Final = "SELECT store_type, timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
SELECT_PHARMACISTS: Final = """
    SELECT staff_id FROM pharmacy_pharmacist WHERE store_id = $1 AND owner_id = $2 ORDER BY staff_id
"""
IS_PHARMACIST: Final = """
    SELECT EXISTS (SELECT FROM pharmacy_pharmacist WHERE staff_id = $1 AND owner_id = $2 AND store_id = $3)
"""
DELETE_PHARMACISTS: Final = "DELETE FROM pharmacy_pharmacist WHERE store_id = $1 AND owner_id = $2"
INSERT_PHARMACISTS: Final = """
    INSERT INTO pharmacy_pharmacist (staff_id, owner_id, store_id) SELECT id, $2, $3 FROM unnest($1::bigint[]) AS s (id)
"""
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
STAFF: Final = "staff"


async def require_pharmacy(caller: Caller, store_id: int) -> ZoneInfo:
    """Return the time zone of the caller's pharmacy. Raises ``NotFound`` for any other store."""
    row = await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if row is None:
        raise NotFound
    vertical = find_vertical(row["store_type"])
    if vertical is None or MEDICINE.code not in vertical.capabilities:
        raise NotFound
    return ZoneInfo(row["timezone"])


async def get_zone(owner_id: int, store_id: int) -> ZoneInfo:
    """Return the time zone of a store."""
    return ZoneInfo((await sql.one(SELECT_STORE, store_id, owner_id))["timezone"])


def get_today(zone: ZoneInfo) -> date:
    """Return the day that it is in a store."""
    return clock.now().astimezone(zone).date()


async def require_pharmacist(caller: Caller, store_id: int) -> None:
    """Raise ``Forbidden`` for a member of staff who is no pharmacist; the owner decides as one."""
    if caller.kind != STAFF:
        return
    if not await sql.fetch_value(IS_PHARMACIST, caller.known_subject_id, caller.owner_id, store_id):
        raise Forbidden(Sentence("Only a pharmacist may release orders."), extras={"reason": "pharmacist_required"})


async def get_pharmacists(caller: Caller, store_id: int) -> Pharmacists:
    """Return the members of staff who may release orders. Raises ``NotFound``."""
    await require_pharmacy(caller, store_id)
    rows = await sql.fetch(SELECT_PHARMACISTS, store_id, caller.owner_id)
    return Pharmacists([row["staff_id"] for row in rows])


async def set_pharmacists(caller: Caller, store_id: int, staff_ids: Sequence[int]) -> Pharmacists:
    """Set who may release orders. Raises ``NotFound``, and ``ValidationFailed`` for members of other stores."""
    await require_pharmacy(caller, store_id)
    wanted = sorted(set(staff_ids))
    async with sql.transaction():
        known = await find_staff_ids(caller.owner_id, store_id, wanted)
        if unknown := [each for each in wanted if each not in known]:
            raise ValidationFailed(staff_ids=[f"This store has no member of staff {unknown[0]}."])
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        await sql.execute(DELETE_PHARMACISTS, store_id, caller.owner_id)
        await sql.execute(INSERT_PHARMACISTS, wanted, caller.owner_id, store_id)
    return Pharmacists(wanted)
