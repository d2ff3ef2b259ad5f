"""Customers, who log in; and guests, who have ordered."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Purpose(StrEnum):
    """What a code is for: to log in, or to prove an e-mail or phone for something that asks for proof."""

    LOGIN = "login"
    PROOF = "proof"


class Customer(Model):
    """Somebody that one store knows: an account, or only a contact that the owner wrote down.

    ``email`` (case-folded) and ``phone`` (E.164, or bare digits) are where the store reaches them. ``login_email`` and
    ``login_phone`` are what they log in by: the number is always proven, the address from ``email_proven_at`` on.
    ``search`` is the name without case and accents. ``consents`` holds ``{granted, at}`` by name. One who was erased
    has nothing left but the id, for the orders and ledgers that name it.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=255, null=True)
    search = fields.TextField(default="")
    email = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=20, null=True)
    login_email = fields.CharField(max_length=255, null=True)
    login_phone = fields.CharField(max_length=20, null=True)
    email_proven_at = fields.DatetimeField(null=True)
    password_hash = fields.CharField(max_length=255, null=True)
    birthday = fields.DateField(null=True)
    locale = fields.CharField(max_length=35, null=True)
    consents: fields.Field[dict[str, dict[str, Any]]] = fields.JSONField(default=dict)
    created_at = fields.DatetimeField()
    erased_at = fields.DatetimeField(null=True)

    class Meta:
        table = "customers_customer"


class Address(Model):
    """Where a customer wants things brought; of a customer's addresses exactly one is the default."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    customer_id = fields.BigIntField()
    label = fields.CharField(max_length=100, null=True)
    line1 = fields.CharField(max_length=255)
    line2 = fields.CharField(max_length=255, null=True)
    city = fields.CharField(max_length=100, null=True)
    region = fields.CharField(max_length=100, null=True)
    postcode = fields.CharField(max_length=20, null=True)
    country = fields.CharField(max_length=2, null=True)
    lat = fields.FloatField(null=True)
    lng = fields.FloatField(null=True)
    instructions = fields.CharField(max_length=500, null=True)
    is_default = fields.BooleanField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "customers_address"


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
