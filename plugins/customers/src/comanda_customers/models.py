"""Customers, who log in; and guests, who have ordered."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Customer(Model):
    """Somebody who may log in at one store. ``email`` is case-folded, ``phone`` in E.164; at least one is there."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    email = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=20, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "customers_customer"


class Guest(Model):
    """Whoever ordered at a store, added up over the orders that count: all but the cancelled ones.

    ``identity`` is ``customer:<id>``, or the phone number as ``phone`` has it: E.164, or bare digits where the country
    is unknown. ``name`` and ``phone`` are those of the latest orders that have any, ``name_order_id`` and
    ``phone_order_id``; ``own_name`` is what the owner calls the guest instead, ``search`` the name shown without case
    and accents. A visit is a business day; the third last order was placed on ``third_last_on``. A guest without
    ``orders`` is not shown.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    identity = fields.CharField(max_length=64)
    name = fields.CharField(max_length=255, null=True)
    name_order_id = fields.BigIntField(null=True)
    own_name = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=20, null=True)
    phone_order_id = fields.BigIntField(null=True)
    email = fields.CharField(max_length=255, null=True)
    search = fields.TextField(default="")
    tags: fields.Field[list[str]] = ArrayField(element_type="text")
    visits = fields.IntField(default=0)
    orders = fields.IntField(default=0)
    total_spent_minor = fields.BigIntField(default=0)
    first_visit_on = fields.DateField(null=True)
    last_visit_on = fields.DateField(null=True)
    third_last_on = fields.DateField(null=True)
    first_seen_at = fields.DatetimeField(null=True)
    last_seen_at = fields.DatetimeField(null=True)

    class Meta:
        table = "customers_guest"


class GuestOrder(Model):
    """Whose an order is, and what it counts for, as it was when it was last looked at."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    guest_id = fields.BigIntField()
    business_date = fields.DateField()
    spent_minor = fields.BigIntField()
    is_counted = fields.BooleanField()
    placed_at = fields.DatetimeField()

    class Meta:
        table = "customers_guest_order"


class Visit(Model):
    """A guest's orders of one business day that count; none are left where all were cancelled."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    guest_id = fields.BigIntField()
    business_date = fields.DateField()
    orders = fields.IntField()
    spent_minor = fields.BigIntField()
    first_placed_at = fields.DatetimeField(null=True)
    last_placed_at = fields.DatetimeField(null=True)

    class Meta:
        table = "customers_visit"
