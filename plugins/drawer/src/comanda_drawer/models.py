"""The tables of cash drawers: shifts, and all movements of cash. Amounts are in minor units of the shift's currency."""

from enum import StrEnum

from tortoise import fields
from tortoise.models import Model


class ShiftStatus(StrEnum):
    """Whether a shift takes movements."""

    OPEN = "open"
    CLOSED = "closed"


class MovementKind(StrEnum):
    """Why cash came into a drawer or left it; ``no_sale`` opened it without either."""

    OPENING = "opening"
    PAID_IN = "paid_in"
    PAID_OUT = "paid_out"
    NO_SALE = "no_sale"
    PAYMENT = "payment"
    REFUND = "refund"
    DRIVER_CASH = "driver_cash"


class Shift(Model):
    """A drawer from opening to counting. A store has one open shift of a drawer at the most.

    Whoever books a movement or closes the shift holds its row locked. ``expected_minor`` is the sum of the movements,
    written when the shift is closed; ``difference_minor`` is what was counted, less that. The keys and hashes tell
    repeats of the requests that opened and closed it.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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


class Movement(Model):
    """Cash that came, or with a negative ``amount_minor`` went; written once and never changed.

    A payment or refund without ``shift_id`` was booked while no drawer could be told to have it. ``driver_id`` is who
    handed in cash that they had taken at doors.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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
