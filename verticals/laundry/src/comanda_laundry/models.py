"""The tables of laundries: promised days, goods that are weighed, and garments with their tags."""

from enum import StrEnum

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.models import Model


class GarmentState(StrEnum):
    """Where a garment is; one that is lost or damaged has a note that says what happened."""

    TAKEN_IN = "taken_in"
    IN_WORK = "in_work"
    READY = "ready"
    RETURNED = "returned"
    LOST = "lost"
    DAMAGED = "damaged"


class LaundryOrder(Model):
    """An order whose goods are cleaned, and the day for which they are promised. ``is_open`` until it is closed."""

    order_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    ready_on = fields.DateField()
    is_open = fields.BooleanField(default=True)

    class Meta:
        table = "laundry_order"


class WeighedLine(Model):
    """A line that is sold by weight, with its price for a kilogram; ``grams`` is null until it is weighed."""

    line_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    order_id = fields.BigIntField()
    price_per_kg_minor = fields.BigIntField()
    grams = fields.IntField(null=True)
    weighed_at = fields.DatetimeField(null=True)
    weighed_by = fields.CharField(max_length=50, null=True)

    class Meta:
        table = "laundry_weighed_line"


class Garment(StoreRow):
    """A piece of an order's line, under the number on its tag. It ``has_tag`` until its order is closed."""

    order_id = fields.BigIntField()
    line_id = fields.BigIntField()
    tag = fields.IntField()
    has_tag = fields.BooleanField(default=True)
    name = fields.CharField(max_length=255)
    state = fields.CharField(max_length=20, default=GarmentState.TAKEN_IN.value)
    note = fields.CharField(max_length=500, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "laundry_garment"


class TagCounter(Model):
    """The number of a store's last tag, and the lock under which its tags are given one after another."""

    store_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    last_tag = fields.IntField(default=0)

    class Meta:
        table = "laundry_tag_counter"
