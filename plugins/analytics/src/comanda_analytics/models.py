"""What orders count for, order by order, and added up by day."""

from tortoise import fields
from tortoise.models import Model


class StoreState(Model):
    """How far a store's orders have been counted, and in which time zone.

    Orders up to the id ``counted_to`` are counted, whatever events told of them; once ``is_complete``, all are.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    timezone = fields.CharField(max_length=50)
    counted_to = fields.BigIntField(default=0)
    is_complete = fields.BooleanField(default=False)

    class Meta:
        table = "analytics_store"


class CountedOrder(Model):
    """What an order has been counted for. ``kept_minor`` is what was paid of it less what was refunded."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    day = fields.DateField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    is_paid = fields.BooleanField()
    total_minor = fields.BigIntField()
    kept_minor = fields.BigIntField()

    class Meta:
        table = "analytics_order"


class Day(Model):
    """The orders of one type and status that were placed on one day of a store's calendar, added up."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    day = fields.DateField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    orders = fields.BigIntField()
    paid_orders = fields.BigIntField()
    total_minor = fields.DecimalField(max_digits=40, decimal_places=0)
    kept_minor = fields.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        table = "analytics_day"


class ItemDay(Model):
    """How many of an item were ordered on one day, cancelled orders left out; ``name`` is what it was sold as then."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    day = fields.DateField()
    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    quantity = fields.BigIntField()

    class Meta:
        table = "analytics_item_day"
