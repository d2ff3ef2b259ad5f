"""The demo hotel, created once through the services that its owner would use."""

from datetime import date, timedelta
from typing import Any

import orjson
from comanda.basics import Conflict
from comanda.contracts import NO_IDEMPOTENCY_KEY, Caller, DemoStore, Showcase, Unvalidated
from comanda.operations.demo_data import DemoPhotos, create_menu
from comanda.stores import update_store_settings
from comanda_payments import api as payments

from comanda_hotel.demo.content import (
    DEPOSIT_PERCENT,
    GUESTS,
    MENU,
    ONLINE_GUESTS,
    ROOM_TYPES,
    DemoGuest,
    DemoRoomType,
)
from comanda_hotel.models import StayStatus
from comanda_hotel.schemas.rooms import RatesBody, RoomBody, RoomTypeBody
from comanda_hotel.schemas.stays import GuestStayBody, StayBody, StayStatusBody
from comanda_hotel.services import (
    guest_stays,
    hotels,
    rates,
    room_types,
    rooms,
    stay_creation,
    stays,
    transitions,
)
from comanda_hotel.store_settings import STORE_SETTINGS, StayDeposits

STORE = DemoStore(
    store_type="hotel",
    title="Hotel Miradouro",
    slug="hotel-miradouro",
    settings={
        "country": "PT",
        "phone": "+351 22 555 0178",
        "address": "Travessa do Carvalhal 3, 4050-160 Porto",
        "tax_rate": 6,
        "mode_tax_rates": {"room_service": 23},
        "is_tax_included": True,
        "service_charge_amount": 3,
        "service_charge_modes": ["room_service"],
    },
)


async def fill(showcase: Showcase) -> None:
    """Create the hotel, or keep it as its owner left it."""
    await showcase.open(STORE, _open_hotel)


async def _open_hotel(caller: Caller, store_id: int) -> None:
    types = {kind.name: await _create_room_type(caller, store_id, kind, place) for place, kind in enumerate(ROOM_TYPES)}
    today = (await hotels.get_hotel(caller, store_id)).today()
    for guest in GUESTS:
        await _book_guest(caller, store_id, guest, types[guest.kind], today)
    if await _ask_deposits(caller, store_id):
        for guest in ONLINE_GUESTS:
            await _book_online(caller, store_id, guest, types[guest.kind], today)
    courses = {course: [_to_item(*dish) for dish in dishes] for course, dishes in MENU.items()}
    await create_menu(caller, store_id, courses, DemoPhotos(__name__))


async def _create_room_type(caller: Caller, store_id: int, kind: DemoRoomType, position: int) -> int:
    body = RoomTypeBody.model_validate({**kind.terms, "name": kind.name, "position": position})
    type_id = (await room_types.create_room_type(caller, store_id, body)).id
    for number in kind.rooms:
        await rooms.create_room(caller, store_id, RoomBody(number=number, room_type_id=type_id, floor=number[0]))
    weekend = {"friday": kind.weekend_price, "saturday": kind.weekend_price}
    await rates.update_rates(caller, store_id, type_id, RatesBody.model_validate({"weekdays": weekend}))
    return type_id


async def _book_guest(caller: Caller, store_id: int, guest: DemoGuest, type_id: int, today: date) -> None:
    arrival = today + timedelta(days=guest.arrives_in_days)
    body = {
        "room_type_id": type_id,
        "check_in": arrival,
        "check_out": arrival + timedelta(days=guest.nights),
        "guest_name": guest.name,
        "phone": guest.phone,
        "adults": guest.adults,
        "children": guest.children,
        "note": guest.note,
        "source": "demo",
        "status": "optional" if guest.is_undecided else "confirmed",
    }
    document = Unvalidated(StayBody, orjson.dumps(body))
    booked = await stay_creation.create_stay(caller, store_id, document, NO_IDEMPOTENCY_KEY)
    if guest.is_in_house:
        arrived = StayStatusBody(status=StayStatus.CHECKED_IN)
        await transitions.update_stay_status(caller, store_id, booked.record.id, arrived)


async def _ask_deposits(caller: Caller, store_id: int) -> bool:
    """Ask for a deposit where it can be paid, at the demo bank in development, and return whether it is asked for."""
    try:
        await payments.require_online_payments(caller.owner_id, store_id)
    except Conflict:
        return False
    policy = StayDeposits(deposit_percent=DEPOSIT_PERCENT)
    document = Unvalidated(StayDeposits, policy.model_dump_json(exclude_unset=True).encode())
    await update_store_settings(STORE_SETTINGS, caller, store_id, document)
    return True


async def _book_online(caller: Caller, store_id: int, guest: DemoGuest, type_id: int, today: date) -> None:
    """Book a stay as its guest does on the hotel's page, and begin to pay the deposit."""
    arrival = today + timedelta(days=guest.arrives_in_days)
    body = GuestStayBody(
        check_in=arrival,
        check_out=arrival + timedelta(days=guest.nights),
        adults=guest.adults,
        guest_name=guest.name,
        phone=guest.phone or "",
        email=guest.email,
        note=guest.note,
        client_uuid=f"demo-{guest.arrives_in_days}",
    )
    booked = await guest_stays.book_stay(caller, store_id, type_id, body, body.model_dump_json().encode())
    deposit = (await stays.get_stay(caller, store_id, booked.id)).deposit
    if deposit is not None:
        await payments.start_deposit(caller.owner_id, deposit.id)


def _to_item(name: str, price: float, description: str) -> dict[str, Any]:
    return {"name": name, "price": price, "description": description}
