"""The tables of cash drawers: shifts and cash movements. Amounts are in minor units of the shift's currency."""

from enum import StrEnum

from comanda.platform.db import StoreRow
from tortoise import fields


class ShiftStatus(StrEnum):
    """The status of a shift; only open ones accept movements."""

    OPEN = "open"
    CLOSED = "closed"


class MovementKind(StrEnum):
    """Why cash entered or left a drawer; ``no_sale`` opened it without either."""

    OPENING = "opening"
    PAID_IN = "paid_in"
    PAID_OUT = "paid_out"
    NO_SALE = "no_sale"
    PAYMENT = "payment"
    REFUND = "refund"
    DRIVER_CASH = "driver_cash"


class Shift(StoreRow):
    """A drawer from opening to counting. A drawer has at most one open shift.

    Recording a movement and closing the shift lock its row. ``expected_minor`` is the sum of the movements, written
    when the shift is closed; ``difference_minor`` is ``counted_minor`` minus that. The keys and hashes identify repeats
    of the requests that opened and closed it.
    """

    drawer = fields.CharField(max_length=50)
    currency = fields.CharField(max_length=3)
    status = fields.CharField(max_length=10)
    opened_by = fields.CharField(max_length=50)
    opened_at = fields.DatetimeField()
    opening_float_minor = fields.BigIntField()
    closed_by = fields.CharField(max_length=50, null=True)
    closed_at = fields.DatetimeField(null=True)
    expected_minor = fields.DecimalField(max_digits=40, decimal_places=0, null=True)
    counted_minor = fields.BigIntField(null=True)
    difference_minor = fields.DecimalField(max_digits=40, decimal_places=0, null=True)
    note = fields.CharField(max_length=500, null=True)
    open_key = fields.CharField(max_length=255, null=True)
    open_hash = fields.BinaryField(null=True)
    close_key = fields.CharField(max_length=255, null=True)
    close_hash = fields.BinaryField(null=True)

    class Meta:
        table = "drawer_shift"


class Movement(StoreRow):
    """Cash that entered a drawer, or left it if ``amount_minor`` is negative; written once and never changed.

    A payment or refund without ``shift_id`` is unassigned: no drawer could be determined. ``driver_id`` is the driver
    who handed in the cash.
    """

    shift_id = fields.BigIntField(null=True)
    kind = fields.CharField(max_length=20)
    amount_minor = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    payment_id = fields.BigIntField(null=True)
    refund_id = fields.BigIntField(null=True)
    driver_id = fields.BigIntField(null=True)
    actor = fields.CharField(max_length=50)
    note = fields.CharField(max_length=500, null=True)
    booked_at = fields.DatetimeField()
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "drawer_movement"
