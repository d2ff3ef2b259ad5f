"""Tables of room types, rooms with their blocks and calendars, rates, stays and charges."""

from datetime import date
from enum import StrEnum
from typing import TypedDict

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields


class Housekeeping(StrEnum):
    """The housekeeping status of a room. A room that is out of order is not sold until its status changes."""

    CLEAN = "clean"
    INSPECTED = "inspected"
    DIRTY = "dirty"
    OUT_OF_ORDER = "out_of_order"


class StayStatus(StrEnum):
    """The status of a stay; an ``optional`` stay is held until ``expires_at``, or else until its deposit is paid."""

    OPTIONAL = "optional"
    CONFIRMED = "confirmed"
    CHECKED_IN = "checked_in"
    CHECKED_OUT = "checked_out"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class ChargeKind(StrEnum):
    """The kind of a charge on a folio."""

    ROOM_SERVICE = "room_service"
    LATE_CHARGE = "late_charge"


class StoredNightlyPrice(TypedDict):
    """The agreed price of one night of a stay, as its row stores it; ``date`` is in ISO format."""

    date: str
    price_minor: int


class RoomType(StoreRow):
    """A type of room that guests book.

    ``base_price_minor`` is per night for up to ``base_adults``; each further adult adds ``extra_adult_minor``.
    ``overbooking_allowance`` is the number of stays that may be sold per night beyond the number of rooms.
    """

    name = fields.CharField(max_length=255)
    description = fields.CharField(max_length=2000, null=True)
    max_adults = fields.SmallIntField()
    max_children = fields.SmallIntField(default=0)
    base_adults = fields.SmallIntField()
    base_price_minor = fields.BigIntField()
    extra_adult_minor = fields.BigIntField(default=0)
    min_stay = fields.SmallIntField(default=1)
    overbooking_allowance = fields.SmallIntField(default=0)
    position = fields.IntField(default=0)
    is_active = fields.BooleanField(default=True)

    class Meta:
        table = "hotel_room_type"


class Room(StoreRow):
    """A room; its number is unique in the store."""

    room_type_id = fields.BigIntField()
    number = fields.CharField(max_length=20)
    floor = fields.CharField(max_length=20, null=True)
    status = fields.CharField(max_length=20, default=Housekeeping.CLEAN.value)
    is_active = fields.BooleanField(default=True)

    class Meta:
        table = "hotel_room"


class RoomBlock(OwnerRow):
    """A room that is out of order for the nights from ``starts_on`` up to, but not including, ``ends_on``."""

    room_id = fields.BigIntField()
    starts_on = fields.DateField()
    ends_on = fields.DateField()
    reason = fields.CharField(max_length=255, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "hotel_room_block"


class RoomCalendar(OwnerRow):
    """A platform that sells a room too: it reads what is taken at an address with ``token``, and is read at ``url``.

    It is read next at ``next_read_at``, null without a ``url``. ``tried_at`` is the last attempt, ``read_at`` the last
    that succeeded, and ``failure`` why the last one did not. ``unread_count`` is the number of events of the last one
    that were not understood.
    """

    room_id = fields.BigIntField()
    name = fields.CharField(max_length=100)
    token = fields.CharField(max_length=64)
    url = fields.CharField(max_length=2048, null=True)
    created_at = fields.DatetimeField()
    next_read_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)
    tried_at = fields.DatetimeField(null=True)
    read_at = fields.DatetimeField(null=True)
    failure = fields.CharField(max_length=30, null=True)
    unread_count = fields.IntField(default=0)

    class Meta:
        table = "hotel_room_calendar"


class ForeignBooking(OwnerRow):
    """Nights of a room that another platform's calendar says are taken, up to, but not including, ``ends_on``.

    Those that were free here are in ``RoomNight`` with the calendar; the others are in conflict. Nothing of the guest
    is kept, of the event's UID a hash.
    """

    room_id = fields.BigIntField()
    calendar_id = fields.BigIntField()
    uid_hash = fields.CharField(max_length=64)
    starts_on = fields.DateField()
    ends_on = fields.DateField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "hotel_foreign_booking"


class RoomNight(OwnerRow):
    """One night of one room, taken by a stay, a block or a calendar. Each night of a room can be taken once."""

    room_id = fields.BigIntField()
    night = fields.DateField()
    stay_id = fields.BigIntField(null=True)
    block_id = fields.BigIntField(null=True)
    calendar_id = fields.BigIntField(null=True)

    class Meta:
        table = "hotel_room_night"


class Rate(OwnerRow):
    """A price that overrides a room type's base price: for a weekday (Monday is 0) or, winning, for one night."""

    room_type_id = fields.BigIntField()
    weekday = fields.SmallIntField(null=True)
    night = fields.DateField(null=True)
    price_minor = fields.BigIntField()

    class Meta:
        table = "hotel_rate"


class Stay(StoreRow):
    """A party's stay in a room of a type for the nights from ``check_in`` up to, but not including, ``check_out``.

    ``room_type_id`` is that of the room once one is assigned. ``nightly`` holds the agreed prices, ``[{date,
    price_minor}]``, and ``total_minor`` their sum. ``departed_on`` is the day on which the guests left.
    ``reservation_id`` is its entry in the store's list of reservations. ``timeline`` has the time of each status.
    """

    room_type_id = fields.BigIntField()
    room_id = fields.BigIntField(null=True)
    reservation_id = fields.BigIntField()
    customer_id = fields.BigIntField(null=True)
    status = fields.CharField(max_length=20)
    guest_name = fields.CharField(max_length=255)
    phone = fields.CharField(max_length=50, null=True)
    email = fields.CharField(max_length=255, null=True)
    adults = fields.SmallIntField()
    children = fields.SmallIntField(default=0)
    check_in: fields.Field[date] = fields.DateField()
    check_out: fields.Field[date] = fields.DateField()
    departed_on = fields.DateField(null=True)
    expires_at = fields.DatetimeField(null=True)
    currency = fields.CharField(max_length=3)
    nightly: fields.Field[list[StoredNightlyPrice]] = fields.JSONField(default=list)
    total_minor = fields.BigIntField()
    note = fields.CharField(max_length=2000, null=True)
    source = fields.CharField(max_length=50)
    cancelled_by = fields.CharField(max_length=50, null=True)
    timeline: fields.Field[dict[str, str]] = fields.JSONField(default=dict)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "hotel_stay"


class Charge(OwnerRow):
    """A charge on a stay's folio. The charge of a cancelled order is kept with ``voided_at`` and no longer counts."""

    stay_id = fields.BigIntField()
    order_id = fields.BigIntField()
    kind = fields.CharField(max_length=20, default=ChargeKind.ROOM_SERVICE.value)
    amount_minor = fields.BigIntField()
    created_at = fields.DatetimeField()
    voided_at = fields.DatetimeField(null=True)

    class Meta:
        table = "hotel_charge"
