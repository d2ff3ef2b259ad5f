"""Tables of pharmacies: pharmacists, releases of orders, and batches with what was sold of them."""

from enum import StrEnum

from comanda.platform.db import OwnerRow, StoreRow
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

    staff_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()

    class Meta:
        table = "pharmacy_pharmacist"


class Release(Model):
    """An order with prescription-only items, and who released or refused it, why and when."""

    order_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    status = fields.CharField(max_length=20)
    requested_at = fields.DatetimeField()
    decided_at = fields.DatetimeField(null=True)
    decided_by = fields.CharField(max_length=50, null=True)
    note = fields.CharField(max_length=200, null=True)

    class Meta:
        table = "pharmacy_release"


class Batch(StoreRow):
    """Packs of an item, or of one of its variations, with one number and one best-before date; ``quantity`` is left."""

    item_id = fields.BigIntField()
    variant_id = fields.BigIntField(null=True)
    number = fields.CharField(max_length=50)
    best_before = fields.DateField()
    quantity = fields.IntField()
    received_at = fields.DatetimeField()

    class Meta:
        table = "pharmacy_batch"


class BatchUse(OwnerRow):
    """Packs of a batch that a line of an order has; those of a cancelled order are back in the batch."""

    order_id = fields.BigIntField()
    line_id = fields.BigIntField()
    batch_id = fields.BigIntField()
    quantity = fields.IntField()
    is_returned = fields.BooleanField(default=False)

    class Meta:
        table = "pharmacy_batch_use"
