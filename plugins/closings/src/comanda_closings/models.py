"""What orders have been counted as, the totals of days, and closings. Amounts are in minor units."""

from typing import Any

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.models import Model


class StoreState(Model):
    """How far a store's orders have been counted, and which of its days are closed.

    Totals of the store are only written while its row is locked. Orders up to the id ``counted_to`` are counted, with
    or without an event; once ``is_complete``, all are. ``closed_to`` is the last business day that is closed.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    counted_to = fields.BigIntField(default=0)
    is_complete = fields.BooleanField(default=False)
    closed_to = fields.DateField(null=True)
    last_number = fields.IntField(default=0)

    class Meta:
        table = "closings_store"


class CountedOrder(Model):
    """What an order has been counted as, so that only differences are counted later; see ``counting``."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    counted: fields.Field[dict[str, Any]] = fields.JSONField()

    class Meta:
        table = "closings_order"


class CountedPrepayment(Model):
    """What a prepayment has been counted as: sums by the keys of its entries."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="prepayment_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    counted: fields.Field[dict[str, Any]] = fields.JSONField()

    class Meta:
        table = "closings_prepayment"


class CountedShift(Model):
    """A shift whose drawer was not as it should be, and that this has been counted."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="shift_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()

    class Meta:
        table = "closings_shift"


class DayTotal(StoreRow):
    """One total of what is of both a business day and a day of the calendar; see ``figures`` for sections and codes.

    Nearly all is of one pair of days or of two, and what either kind of day comes to is the sum of its rows.
    """

    business_day = fields.DateField()
    calendar_day = fields.DateField()
    section = fields.CharField(max_length=20)
    code = fields.CharField(max_length=50)
    count = fields.BigIntField()
    amount_minor = fields.DecimalField(max_digits=40, decimal_places=0)
    tax_minor = fields.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        table = "closings_day_total"


class Closing(StoreRow):
    """The business days ``first_day`` to ``last_day``, closed with a number that counts the store's closings.

    It is written once and never changed. The key and hash identify repeats of the request that closed them.
    """

    number = fields.IntField()
    first_day = fields.DateField()
    last_day = fields.DateField()
    currency = fields.CharField(max_length=3)
    totals: fields.Field[list[Any]] = fields.JSONField()
    closed_by = fields.CharField(max_length=50)
    closed_at = fields.DatetimeField()
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "closings_closing"
