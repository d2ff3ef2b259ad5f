"""The totals of orders by day, and what each order has been counted as."""

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.models import Model


class StoreState(Model):
    """How far a store's orders have been counted, and in which time zone.

    Orders up to the id ``counted_to`` are counted, with or without an event; once ``is_complete``, all are.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    timezone = fields.CharField(max_length=50)
    counted_to = fields.BigIntField(default=0)
    is_complete = fields.BooleanField(default=False)

    class Meta:
        table = "analytics_store"


class CountedOrder(Model):
    """What an order has been counted as, with as many ``amendments`` as it had then.

    ``kept_minor`` is what was paid less what was refunded, ``charges_minor`` the charges besides the service charge and
    the delivery fee.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    day = fields.DateField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    is_paid = fields.BooleanField()
    amendments = fields.IntField(default=0)
    total_minor = fields.BigIntField()
    kept_minor = fields.BigIntField()
    service_charge_minor = fields.BigIntField(default=0)
    delivery_fee_minor = fields.BigIntField(default=0)
    charges_minor = fields.BigIntField(default=0)

    class Meta:
        table = "analytics_order"


class DailyTotal(StoreRow):
    """The totals of the orders of one type and status placed on one day of a store's calendar."""

    day = fields.DateField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    orders = fields.BigIntField()
    paid_orders = fields.BigIntField()
    total_minor = fields.DecimalField(max_digits=40, decimal_places=0)
    kept_minor = fields.DecimalField(max_digits=40, decimal_places=0)
    service_charge_minor = fields.DecimalField(max_digits=40, decimal_places=0, default=0)
    delivery_fee_minor = fields.DecimalField(max_digits=40, decimal_places=0, default=0)
    charges_minor = fields.DecimalField(max_digits=40, decimal_places=0, default=0)

    class Meta:
        table = "analytics_day"


class DailyItemTotal(StoreRow):
    """The quantity of an item ordered on one day, without cancelled orders; ``name`` is its name at the time."""

    day = fields.DateField()
    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    quantity = fields.BigIntField()

    class Meta:
        table = "analytics_item_day"
