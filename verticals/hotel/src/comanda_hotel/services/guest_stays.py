"""Stays that guests book on the pages of a hotel, and find there again."""

import hashlib
from datetime import date
from typing import Final

from comanda.basics import Conflict
from comanda.contracts import Caller, IdempotencyKey, Unvalidated
from comanda.platform.db import sql

from comanda_hotel import models
from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import Stay
from comanda_hotel.schemas.stays import GuestStayBody, StayBody
from comanda_hotel.services import deposits, hotels, stay_creation, stay_links, stays, transitions
from comanda_hotel.services.availability import RoomOffer
from comanda_hotel.services.stay_creation import DepositRequest

SOURCE: Final = "website"
OPEN_STATUSES: Final = (StayStatus.OPTIONAL, StayStatus.CONFIRMED)


async def book_stay(
    caller: Caller, store_id: int, type_id: int, body: GuestStayBody, raw: bytes, language: str | None = None
) -> Stay:
    """Book a stay, or return the one booked with the same ``client_uuid``. Emits ``ReservationCreated``.

    One that needs a deposit is held until that is paid. Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a
    reason if no room is free, or the deposit cannot be paid.
    """
    asked = body.model_dump(exclude={"client_uuid"}, exclude_none=True, mode="json")
    stay = StayBody(room_type_id=type_id, source=SOURCE, **asked)
    unvalidated = Unvalidated(StayBody, stay.model_dump_json(exclude_none=True).encode())
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())
    hotel = await hotels.get_hotel(caller, store_id)
    policy = await deposits.get_policy(hotel)

    def get_deposit_minor(offer: RoomOffer) -> int:
        return deposits.calculate_deposit_minor(policy, offer.prices_minor, hotel.currency)

    async def create_deposit(stay: models.Stay, amount_minor: int) -> None:
        page_path = await stay_links.create_path(hotel.owner_id, stay.id, stay.check_out, hotel.today())
        await deposits.create_deposit(hotel, stay, policy, amount_minor, page_path, language)

    asked_deposit = DepositRequest(get_deposit_minor, create_deposit)
    return (await stay_creation.create_stay(caller, store_id, unvalidated, key, asked_deposit)).record


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
        await transitions.save_status(hotel, stay, StayStatus.CANCELLED, "customer")


def can_cancel(stay: Stay | models.Stay, today: date) -> bool:
    """Return whether the guest can still cancel: until the day before the arrival."""
    return stay.status in OPEN_STATUSES and today < stay.check_in
