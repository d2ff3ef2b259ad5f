"""Tables, the reservations of a store, which table each of them holds, and what its owner decides."""

from enum import StrEnum

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class ReservationKind(StrEnum):
    """What is reserved: a table for a meal, or a room for nights."""

    TABLE = "table"
    STAY = "stay"


class ReservationStatus(StrEnum):
    """Where the reservation of a table stands; the last three are final."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    SEATED = "seated"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class StayStatus(StrEnum):
    """Where a stay stands, as the plugin that sells stays tells."""

    OPTIONAL = "optional"
    CONFIRMED = "confirmed"
    CHECKED_IN = "checked_in"
    CHECKED_OUT = "checked_out"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class CancelledBy(StrEnum):
    """Who called a reservation off; ``system`` is a hold that ran out."""

    CUSTOMER = "customer"
    STORE = "store"
    SYSTEM = "system"


class Settings(Model):
    """What an owner decides about the reservations of a store.

    Its row is also the lock of the store's book: whoever gives out tables holds it, and makes it where it is missing.
    ``capacity_seats`` is how many guests the store takes at one time, null for as many as its tables seat.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    is_accepting = fields.BooleanField(db_default=True)
    turn_minutes = fields.SmallIntField(db_default=90)
    slot_minutes = fields.SmallIntField(db_default=15)
    max_party_size = fields.SmallIntField(db_default=20)
    min_notice_minutes = fields.IntField(db_default=0)
    capacity_seats = fields.IntField(null=True)

    class Meta:
        table = "reservations_settings"


class Table(Model):
    """A table of a store. Only tables of one ``area`` are put together for a large party."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    number = fields.CharField(max_length=20)
    seats = fields.SmallIntField()
    area = fields.CharField(max_length=100, null=True)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "reservations_table"


class Reservation(Model):
    """A reservation of either kind.

    ``table_numbers`` are the numbers as they were while the reservation held the tables; ``body_hash`` tells whether a
    repeat of ``idempotency_key`` came with the same body. ``customer_id`` is an id of the plugin that knows customers.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reservations_reservation"


class Seating(Model):
    """A table that a reservation holds, for as long as it does: the row goes when the guests go or do not come."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    reservation_id = fields.BigIntField()
    table_id = fields.BigIntField()
    starts_at = fields.DatetimeField()
    ends_at = fields.DatetimeField()

    class Meta:
        table = "reservations_seating"
