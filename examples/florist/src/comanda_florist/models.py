"""The tables of the florist plugin."""

from tortoise import fields
from tortoise.models import Model


class Shop(Model):
    """What an owner decided for a shop; without a row the installation's settings hold."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    deliveries_per_day = fields.IntField(null=True)
    days_ahead = fields.SmallIntField()
    remembers_gifts = fields.BooleanField()
    remind_days_before = fields.SmallIntField()

    class Meta:
        table = "florist_shop"


class Day(Model):
    """A day of a shop's for which gifts were ordered; ``taken`` counts those that stand."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    day = fields.DateField()
    taken = fields.IntField()

    class Meta:
        table = "florist_day"


class Occasion(Model):
    """A day of the year on which somebody gets flowers.

    ``remind_at`` is when its owner is told next. ``order_id`` is the gift that it was remembered from, and remembered
    once however often that is heard of.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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
