"""Tables of pharmacies: pharmacists, releases of orders, and batches with what was sold of them."""

from enum import StrEnum

from tortoise import fields
from tortoise.models import Model


class ReleaseStatus(StrEnum):
    """Whether a pharmacist has released an order; one that was cancelled before needs no release any more."""

    WAITING = "waiting"
    RELEASED = "released"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class Pharmacist(Model):
    """A member of staff who may release orders."""

    staff_id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()

    class Meta:
        table = "pharmacy_pharmacist"


class Release(Model):
    """An order with prescription-only items, and who released or refused it, why and when."""

    order_id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    status = fields.CharField(max_length=20)
    requested_at = fields.DatetimeField()
    decided_at = fields.DatetimeField(null=True)
    decided_by = fields.CharField(max_length=50, null=True)
    note = fields.CharField(max_length=200, null=True)

    class Meta:
        table = "pharmacy_release"
