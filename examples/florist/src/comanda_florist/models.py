"""Tables of the florist plugin."""

from comanda.platform.db import StoreRow
from tortoise import fields


class Shop(StoreRow):
    """An owner's decisions for a shop; without a row the installation's settings apply."""

    deliveries_per_day = fields.IntField(null=True)
    days_ahead = fields.SmallIntField()
    remembers_gifts = fields.BooleanField()
    remind_days_before = fields.SmallIntField()

    class Meta:
        table = "florist_shop"


class Day(StoreRow):
    """A delivery day of a shop; ``taken`` counts its gifts that are not cancelled."""

    day = fields.DateField()
    taken = fields.IntField()

    class Meta:
        table = "florist_day"


class Occasion(StoreRow):
    """A day of the year on which somebody receives flowers.

    ``remind_at`` is the owner's next reminder. ``order_id`` is the gift that it was created from; a unique index
    prevents duplicates.
    """

    recipient_name = fields.CharField(max_length=255)
    what = fields.CharField(max_length=255)
    month = fields.SmallIntField()
    day = fields.SmallIntField()
    remind_days_before = fields.SmallIntField()
    remind_at = fields.DatetimeField()
    phone = fields.CharField(max_length=50, null=True)
    note = fields.TextField(null=True)
    order_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "florist_occasion"
