"""Cancellation of expired holds. They have not counted since they expired; cancelling them notifies the guest."""

from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_hotel.models import Stay, StayStatus
from comanda_hotel.services import transitions
from comanda_hotel.services.hotels import Hotel

BATCH_SIZE = 100
# Rows are locked owner by owner, as those of several may be on several nodes.
SELECT_OWNERS = f"""
    SELECT DISTINCT owner_id FROM hotel_stay WHERE status = '{StayStatus.OPTIONAL}' AND expires_at <= $1
"""
SELECT_HOTELS = "SELECT id, owner_id, currency, timezone FROM core_store_v1 WHERE id = ANY ($1)"


async def expire_holds() -> int:
    """Cancel every expired hold and return how many. Emits ``ReservationCancelled`` for each."""
    count = 0
    for owner in await sql.fetch(SELECT_OWNERS, clock.now()):
        while many := await _expire_batch(owner["owner_id"]):
            count += many
    return count


async def _expire_batch(owner_id: int) -> int:
    async with sql.transaction():
        # A hold that is being confirmed right now is locked and skipped.
        due = (
            await Stay.select_for_update(skip_locked=True, no_key=True)
            .filter(owner_id=owner_id, status=StayStatus.OPTIONAL, expires_at__lte=clock.now())
            .order_by("id")
            .limit(BATCH_SIZE)
        )
        hotels = {row["id"]: row for row in await sql.fetch(SELECT_HOTELS, [stay.store_id for stay in due])}
        for stay in due:
            row = hotels[stay.store_id]
            hotel = Hotel(row["id"], row["owner_id"], row["currency"], ZoneInfo(row["timezone"]))
            await transitions.release_room(stay, "system")
            await transitions.save_status(hotel, stay, StayStatus.CANCELLED, "system")
    return len(due)
