"""Requests about room types, rooms, blocks and rates."""

from typing import Annotated, Any

from comanda.contracts import NOT_BLANK, Amount, Body, Count, Id, Name, ShortText, Text, Whole, example
from pydantic import BeforeValidator, Field

from comanda_hotel.models import Housekeeping
from comanda_hotel.schemas.dates import Day

CalendarName = Annotated[Name, Field(max_length=100)]
CalendarUrl = Annotated[str, Field(max_length=2048)]


def _to_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


MAX_PARTY = 50

Adults = Annotated[Count, Field(ge=1, le=MAX_PARTY)]
Children = Annotated[Count, Field(le=MAX_PARTY)]
Nights = Annotated[Count, Field(ge=1, le=30)]
Allowance = Annotated[Count, Field(le=1000)]
Position = Annotated[Whole, Field(ge=-(2**31), le=2**31 - 1)]
RoomNumber = Annotated[ShortText, Field(max_length=20), NOT_BLANK, BeforeValidator(_to_text)]
Floor = Annotated[ShortText, Field(max_length=20), BeforeValidator(_to_text)]


class RoomTypeBody(Body):
    """A room type to create. ``base_adults`` are included in the price and default to ``max_adults``."""

    model_config = example(
        {"name": "Double room", "base_price": 120.0, "max_adults": 2, "max_children": 1, "min_stay": 1}
    )

    name: Name
    base_price: Amount
    max_adults: Adults
    max_children: Children = 0
    base_adults: Adults | None = None
    extra_adult_price: Amount = 0
    description: Text | None = None
    min_stay: Nights = 1
    overbooking_allowance: Allowance = 0
    position: Position = 0
    is_active: bool = True


class RoomTypeChange(Body):
    """Changes to a room type; omitted fields are kept."""

    model_config = example({"base_price": 130.0})

    name: Name | None = None
    base_price: Amount | None = None
    max_adults: Adults | None = None
    max_children: Children | None = None
    base_adults: Adults | None = None
    extra_adult_price: Amount | None = None
    description: Text | None = None
    min_stay: Nights | None = None
    overbooking_allowance: Allowance | None = None
    position: Position | None = None
    is_active: bool | None = None


class RoomBody(Body):
    """A room to create."""

    model_config = example({"number": "204", "room_type_id": 1, "floor": "2"})

    number: RoomNumber
    room_type_id: Id
    floor: Floor | None = None
    status: Housekeeping = Housekeeping.CLEAN
    is_active: bool = True


class RoomChange(Body):
    """Changes to a room; omitted fields are kept."""

    model_config = example({"floor": "3"})

    number: RoomNumber | None = None
    room_type_id: Id | None = None
    floor: Floor | None = None
    is_active: bool | None = None


class HousekeepingBody(Body):
    """The new housekeeping status."""

    status: Housekeeping


class RoomQuery(Body):
    """Filters of rooms."""

    status: Housekeeping | None = None
    room_type: Annotated[int, Field(ge=1, le=2**63 - 1)] | None = None


class BlockBody(Body):
    """Nights on which a room is out of order: from ``from`` up to, but not including, ``to``."""

    model_config = example({"from": "2027-06-01", "to": "2027-06-03", "reason": "Painting"})

    from_: Annotated[Day, Field(alias="from")]
    to: Day
    reason: ShortText | None = None


class WeekdayPrices(Body):
    """Prices of the nights that begin on a weekday; null means the base price."""

    monday: Amount | None = None
    tuesday: Amount | None = None
    wednesday: Amount | None = None
    thursday: Amount | None = None
    friday: Amount | None = None
    saturday: Amount | None = None
    sunday: Amount | None = None


class NightPrices(Body):
    """A price for every night from ``from`` to ``to``, both inclusive; null removes such prices."""

    from_: Annotated[Day, Field(alias="from")]
    to: Day
    price: Amount | None


class RatesBody(Body):
    """Prices to set: first the weekdays, then the nights in their order."""

    model_config = example(
        {
            "weekdays": {"friday": 140.0, "saturday": 140.0},
            "nights": [{"from": "2027-12-30", "to": "2028-01-02", "price": 220.0}],
        }
    )

    weekdays: WeekdayPrices | None = None
    nights: Annotated[list[NightPrices], Field(max_length=200)] = []


class CalendarBody(Body):
    """A platform that sells the room too, and the address of its calendar, which may follow later."""

    model_config = example({"name": "Airbnb", "url": "https://www.airbnb.com/calendar/ical/1234.ics?s=5678"})

    name: CalendarName
    url: CalendarUrl | None = None


class CalendarChange(Body):
    """Changes to a calendar; omitted fields stay unchanged. Without a ``url`` its bookings are removed."""

    model_config = example({"url": "https://www.airbnb.com/calendar/ical/1234.ics?s=5678"})

    name: CalendarName | None = None
    url: CalendarUrl | None = None


class ForeignBookingQuery(Body):
    """Filters of foreign bookings."""

    room: Id | None = None
    calendar: Id | None = None
    in_conflict: bool | None = None
