"""Availability and prices for a stay: one offer per room type, with a reason if it cannot be booked."""

from dataclasses import dataclass
from datetime import date, timedelta

from comanda.basics import Sentence, ValidationFailed, extend_record
from comanda.contracts import Caller

from comanda_hotel.models import RoomType, StoredNightlyPrice
from comanda_hotel.records.availability import OfferedNight, RoomAvailability, RoomTypeOffer
from comanda_hotel.schemas.availability import FreeRoomsQuery, Reason
from comanda_hotel.services import hotels, inventory, rates
from comanda_hotel.services.hotels import MAX_DAYS_AHEAD, Hotel
from comanda_hotel.services.inventory import RoomInventory
from comanda_hotel.services.rates import RoomTypeRates

MAX_BOOKED_NIGHTS = 30


@dataclass(frozen=True, slots=True)
class StayRequest:
    """A requested stay: the nights from ``check_in`` up to, but not including, ``check_out``."""

    check_in: date
    check_out: date
    adults: int
    children: int

    @property
    def nights(self) -> list[date]:
        """The days on which the nights begin."""
        return [self.check_in + timedelta(days=number) for number in range((self.check_out - self.check_in).days)]


@dataclass(frozen=True, slots=True)
class RoomOffer:
    """A room type for a stay; ``nightly`` has each night with its price in minor units and the number of free rooms."""

    room_type: RoomType
    nightly: list[tuple[date, int, int]]
    available: int
    reason: Reason | None

    @property
    def prices_minor(self) -> list[int]:
        """The price of each night."""
        return [price for _, price, _ in self.nightly]

    @property
    def total_minor(self) -> int:
        """The total price of the nights."""
        return sum(self.prices_minor)

    @property
    def agreed_prices(self) -> list[StoredNightlyPrice]:
        """The prices in the form that a stay stores."""
        return [StoredNightlyPrice(date=night.isoformat(), price_minor=price) for night, price, _ in self.nightly]


async def search_availability(caller: Caller, store_id: int, query: FreeRoomsQuery) -> RoomAvailability:
    """Return the availability of each room type for a stay. Raises ``NotFound``, ``ValidationFailed``."""
    hotel = await hotels.get_hotel(caller, store_id)
    request = _to_request(hotel, query)
    types = await _list_room_types(hotel, query.room_type)
    return RoomAvailability(
        store_id=hotel.id,
        check_in=request.check_in,
        check_out=request.check_out,
        nights=len(request.nights),
        adults=request.adults,
        children=request.children,
        currency=hotel.currency,
        room_types=[_to_type_offer(hotel, offer) for offer in await list_offers(hotel, types, request)],
    )


def check_arrival(hotel: Hotel, check_in: date) -> None:
    """Raise ``ValidationFailed`` for a day in the past or too far ahead."""
    today = hotel.today()
    if check_in < today:
        raise ValidationFailed(check_in=[Sentence("Must not be in the past.")])
    if check_in - today > timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(check_in=[Sentence("Rooms can be booked %(limit)s days ahead.", limit=MAX_DAYS_AHEAD)])


def check_dates(hotel: Hotel, check_in: date, check_out: date) -> None:
    """Raise ``ValidationFailed`` unless a stay with these dates can be booked today."""
    check_arrival(hotel, check_in)
    if check_out <= check_in:
        raise ValidationFailed(check_out=["Must be after check_in."])
    if check_out - check_in > timedelta(days=MAX_BOOKED_NIGHTS):
        raise ValidationFailed(
            check_out=[Sentence("A stay may have at most %(limit)s nights.", limit=MAX_BOOKED_NIGHTS)]
        )


async def list_offers(
    hotel: Hotel, types: list[RoomType], request: StayRequest, except_stay_id: int | None = None
) -> list[RoomOffer]:
    """Return an offer for each room type, not counting the stay ``except_stay_id``."""
    counts = await inventory.load_inventory(hotel, types, request.check_in, request.check_out, except_stay_id)
    prices = await rates.load_rates(hotel, types, request.check_in, request.check_out)
    return [_to_offer(room_type, request, counts[room_type.id], prices[room_type.id]) for room_type in types]


def _to_request(hotel: Hotel, query: FreeRoomsQuery) -> StayRequest:
    check_in = query.check_in or hotel.today()
    check_arrival(hotel, check_in)
    check_out = query.check_out or check_in + timedelta(days=1)
    check_dates(hotel, check_in, check_out)
    return StayRequest(check_in, check_out, query.adults, query.children)


async def _list_room_types(hotel: Hotel, asked: str | None) -> list[RoomType]:
    mine = RoomType.filter(store_id=hotel.id, owner_id=hotel.owner_id, is_active=True)
    types = await mine.order_by("position", "id")
    if not asked:
        return types
    found = [
        room_type for room_type in types if str(room_type.id) == asked or room_type.name.casefold() == asked.casefold()
    ]
    if not found:
        raise ValidationFailed(room_type=[f"This hotel has no room type {asked}."])
    return found


def _to_offer(room_type: RoomType, request: StayRequest, counts: RoomInventory, prices: RoomTypeRates) -> RoomOffer:
    nightly = [
        (
            night,
            prices.get_price_minor(room_type, night, request.adults),
            counts.count_free(night, room_type.overbooking_allowance),
        )
        for night in request.nights
    ]
    reason = _find_reason(room_type, request, counts)
    return RoomOffer(room_type, nightly, 0 if reason else min(free for _, _, free in nightly), reason)


def _find_reason(room_type: RoomType, request: StayRequest, counts: RoomInventory) -> Reason | None:
    """Return why a room type cannot be booked, if it cannot: first reasons that hold on any date, then the nights'."""
    if request.adults > room_type.max_adults or request.children > room_type.max_children:
        return Reason.OCCUPANCY
    if len(request.nights) < room_type.min_stay:
        return Reason.MIN_STAY
    if not counts.rooms:
        return Reason.NO_ROOMS
    full = [night for night in request.nights if not counts.count_free(night, room_type.overbooking_allowance)]
    if not full:
        return None
    # A night is sold out if it would be even with every room in order.
    is_sold = any(counts.stays_on.get(night, 0) >= counts.rooms + room_type.overbooking_allowance for night in full)
    return Reason.SOLD_OUT if is_sold else Reason.OUT_OF_ORDER


def _to_type_offer(hotel: Hotel, offer: RoomOffer) -> RoomTypeOffer:
    room_type = offer.room_type
    return extend_record(
        RoomTypeOffer,
        room_type,
        room_type_id=room_type.id,
        available=offer.available,
        nightly=[OfferedNight(night, hotel.to_money(price), free) for night, price, free in offer.nightly],
        total=hotel.to_money(offer.total_minor),
        currency=hotel.currency,
        reason=offer.reason,
    )
