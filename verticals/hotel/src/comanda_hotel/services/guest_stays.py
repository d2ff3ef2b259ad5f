"""Stays that guests book on the pages of a hotel, and the links by which they find them again."""

import hashlib
from datetime import date, timedelta
from typing import Final

from comanda.basics import Conflict, NotFound
from comanda.contracts import Caller, IdempotencyKey, Unvalidated
from comanda.platform.db import sql
from comanda.platform.encryption import find_link_owner, sign_link

from comanda_hotel.models import StayModel, StayStatus
from comanda_hotel.records.stays import Stay
from comanda_hotel.schemas.guests import GuestStayBody
from comanda_hotel.schemas.stays import StayBody
from comanda_hotel.services import hotels, stay_creation, stays, transitions

SOURCE: Final = "website"
PURPOSE: Final = "hotel.stay"
# A link opens a stay for so long after the day of departure.
LINK_GRACE: Final = timedelta(days=30)
OPEN_STATUSES: Final = (StayStatus.OPTIONAL, StayStatus.CONFIRMED)
SELECT_STORE_ID: Final = "SELECT store_id FROM hotel_stay WHERE id = $1 AND owner_id = $2"


async def book_stay(caller: Caller, store_id: int, type_id: int, body: GuestStayBody, raw: bytes) -> Stay:
    """Book a stay, or return the one booked with the same ``client_uuid``. Emits ``ReservationCreated``.

    Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a reason if no room is free.
    """
    asked = body.model_dump(exclude={"client_uuid"}, exclude_none=True, mode="json")
    stay = StayBody(room_type_id=type_id, source=SOURCE, **asked)
    unvalidated = Unvalidated(StayBody, stay.model_dump_json(exclude_none=True).encode())
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())
    return (await stay_creation.create_stay(caller, store_id, unvalidated, key)).record


async def create_link(owner_id: int, stay: Stay, today: date) -> str:
    """Return the path of a stay's page, which opens until a month after the departure."""
    lifetime = max(stay.check_out - today, timedelta()) + LINK_GRACE
    link = await sign_link(PURPOSE, owner_id, stay.id, lifetime)
    return f"/stays/{stay.id}?{link.query}"


async def find_store(stay_id: int, expires: str, signature: str) -> tuple[int, int]:
    """Return the ids of the owner and the store of a linked stay. Raises ``NotFound``."""
    owner_id = await find_link_owner(PURPOSE, stay_id, expires, signature)
    store_id = None if owner_id is None else await sql.fetch_value(SELECT_STORE_ID, stay_id, owner_id)
    if owner_id is None or store_id is None:
        raise NotFound
    return owner_id, store_id


async def cancel_stay(caller: Caller, store_id: int, stay_id: int) -> None:
    """Cancel a guest's stay before the day of arrival. A cancelled one stays as it is. Emits ``ReservationCancelled``.

    Raises ``NotFound``; ``Conflict`` once it has begun.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        if stay.status == StayStatus.CANCELLED:
            return
        if not can_cancel(stay, hotel.today()):
            raise Conflict(f"This stay is {stay.status}.", extras={"reason": "wrong_status"})
        await transitions.release_room(stay, "customer")
        await transitions.save_status(hotel, stay, StayStatus.CANCELLED)


def can_cancel(stay: Stay | StayModel, today: date) -> bool:
    """Return whether the guest can still cancel: until the day before the arrival."""
    return stay.status in OPEN_STATUSES and today < stay.check_in
