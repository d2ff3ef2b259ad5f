"""The tables of a store, its reservations, their seatings, and its reservation settings."""

from enum import StrEnum

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class ReservationKind(StrEnum):
    """What is reserved: a table, or a stay in a room."""

    TABLE = "table"
    STAY = "stay"


class ReservationStatus(StrEnum):
    """The status of a table reservation; the last three are final."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    SEATED = "seated"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class StayStatus(StrEnum):
    """The status of a stay, set by the plugin that sells stays."""

    OPTIONAL = "optional"
    CONFIRMED = "confirmed"
    CHECKED_IN = "checked_in"
    CHECKED_OUT = "checked_out"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class WaitingStatus(StrEnum):
    """The status of a party on the waitlist; the last three are final."""

    WAITING = "waiting"
    CALLED = "called"
    SEATED = "seated"
    LEFT = "left"
    NO_SHOW = "no_show"


class CancelledBy(StrEnum):
    """Who cancelled a reservation; ``system`` stands for a hold that expired."""

    CUSTOMER = "customer"
    STORE = "store"
    SYSTEM = "system"


class Settings(StoreRow):
    """The reservation settings of a store.

    The row also serves as the lock for assigning the store's tables, and is created when it is first needed.
    ``capacity_seats`` is the maximum number of guests at one time, null for as many as the tables seat.
    ``deposit_minor`` is asked per guest from ``deposit_party_size`` guests on, null for none. Guests join the waitlist
    on the store's page if ``has_public_waitlist``.
    """

    is_accepting = fields.BooleanField(db_default=True)
    turn_minutes = fields.SmallIntField(db_default=90)
    slot_minutes = fields.SmallIntField(db_default=15)
    max_party_size = fields.SmallIntField(db_default=20)
    min_notice_minutes = fields.IntField(db_default=0)
    capacity_seats = fields.IntField(null=True)
    deposit_minor = fields.BigIntField(null=True)
    deposit_party_size = fields.SmallIntField(db_default=1)
    deposit_free_hours = fields.IntField(db_default=24)
    deposit_hold_minutes = fields.IntField(db_default=30)
    has_waitlist = fields.BooleanField(db_default=False)
    has_public_waitlist = fields.BooleanField(db_default=False)

    class Meta:
        table = "reservations_settings"


class Table(StoreRow):
    """A table of a store. Only tables of the same ``area`` are combined for a large party.

    ``plan_column`` and ``plan_row`` are its place on the plan of its area, both null for a table without a place.
    """

    number = fields.CharField(max_length=20)
    seats = fields.SmallIntField()
    area = fields.CharField(max_length=100, null=True)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)
    plan_column = fields.SmallIntField(null=True)
    plan_row = fields.SmallIntField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "reservations_table"


class Reservation(StoreRow):
    """A reservation of a table or a stay.

    ``table_numbers`` are the numbers as they were while the reservation held the tables. ``body_hash`` shows whether a
    repeat of ``idempotency_key`` has the same body. ``customer_id`` is an id of the plugin ``customers``,
    ``deposit_id`` one of ``payments``; a guest who cancels until ``deposit_free_until`` gets the deposit back.
    """

    kind = fields.CharField(max_length=10)
    status = fields.CharField(max_length=20)
    guest_name = fields.CharField(max_length=255)
    phone = fields.CharField(max_length=50, null=True)
    email = fields.CharField(max_length=255, null=True)
    customer_id = fields.BigIntField(null=True)
    party_size = fields.SmallIntField()
    starts_at = fields.DatetimeField()
    ends_at = fields.DatetimeField()
    table_numbers: fields.Field[list[str]] = ArrayField(element_type="text")
    note = fields.TextField(null=True)
    source = fields.CharField(max_length=50)
    cancelled_by = fields.CharField(max_length=10, null=True)
    deposit_id = fields.BigIntField(null=True)
    deposit_free_until = fields.DatetimeField(null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reservations_reservation"


class Seating(OwnerRow):
    """A table held by a reservation. Deleted once the reservation is completed, cancelled or a no-show."""

    reservation_id = fields.BigIntField()
    table_id = fields.BigIntField()
    starts_at = fields.DatetimeField()
    ends_at = fields.DatetimeField()

    class Meta:
        table = "reservations_seating"


class WaitingParty(StoreRow):
    """A party on the waitlist, in the order of ``id``.

    ``called_at`` is the time of the last of so many ``calls``, ``messaged_at`` that of the last message, ``ended_at``
    when the party was seated, left or did not come. ``language`` is that of the page on which the guest joined.
    ``reservation_id`` is the one that seated the party.
    """

    status = fields.CharField(max_length=10, default=WaitingStatus.WAITING.value)
    guest_name = fields.CharField(max_length=255)
    party_size = fields.SmallIntField()
    phone = fields.CharField(max_length=50, null=True)
    note = fields.TextField(null=True)
    language = fields.CharField(max_length=20, null=True)
    quoted_minutes = fields.SmallIntField(null=True)
    source = fields.CharField(max_length=10)
    joined_at = fields.DatetimeField()
    calls = fields.SmallIntField(default=0)
    called_at = fields.DatetimeField(null=True)
    messaged_at = fields.DatetimeField(null=True)
    ended_at = fields.DatetimeField(null=True)
    reservation_id = fields.BigIntField(null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "reservations_waiting_party"
