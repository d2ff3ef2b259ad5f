"""Customers with their addresses, and guests with their orders and visits."""

from enum import StrEnum
from typing import Any, TypedDict

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Purpose(StrEnum):
    """The purpose of a code: to log in, or to prove an e-mail or phone where proof is required."""

    LOGIN = "login"
    PROOF = "proof"


class StoredConsent(TypedDict):
    """A consent in the column ``consents``; ``at`` is when it was last given or withdrawn, in ISO 8601."""

    granted: bool
    at: str


class Customer(Model):
    """A customer of one store: an account, or a contact that the owner created.

    ``email`` (case-folded) and ``phone`` (E.164, or bare digits) are the contact details. ``login_email`` and
    ``login_phone`` are the login: the phone is always proven, the e-mail from ``email_proven_at`` on. ``search`` is the
    name without case and accents. ``consents`` are by name. An erased customer keeps only the id,
    for the orders and ledgers that refer to it.
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
    consents: fields.Field[dict[str, StoredConsent]] = fields.JSONField(default=dict)
    created_at = fields.DatetimeField()
    erased_at = fields.DatetimeField(null=True)

    class Meta:
        table = "customers_customer"


class Address(Model):
    """A saved delivery address; exactly one of a customer's addresses is the default."""

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


class SavedCart(Model):
    """The lines that a customer has put into the cart of the store's page, without prices.

    ``version`` increases with each change. A browser that knows an earlier one merges before it writes.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    customer_id = fields.BigIntField()
    lines: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    version = fields.IntField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "customers_saved_cart"


class Guest(Model):
    """A person who ordered at a store, with totals over all orders except cancelled ones.

    ``identity`` is ``customer:<id>``, or the phone number in the form of ``phone``: E.164, or bare digits if the
    country is unknown. ``name`` and ``phone`` come from the latest orders that have them, ``name_order_id`` and
    ``phone_order_id``; ``own_name`` is the owner's name for the guest, which is shown instead. ``search`` is the shown
    name without case and accents. A visit is a business day; ``third_last_on`` is the day of the third-last order. A
    guest with no ``orders`` is not shown.
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
    """The guest of an order and the amount it counts for, as of its last event."""

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
    """The totals of a guest's orders on one business day, without cancelled orders."""

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


class GuestCount(Model):
    """How many guests with a total in a range the store has gained or lost; the sum of a range's rows is their number.

    A trigger of ``customers_guest`` appends rows, and a task replaces those of a range by one that is their total.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    spending_range = fields.IntField()
    guests = fields.IntField()
    is_total = fields.BooleanField(default=False)

    class Meta:
        table = "customers_guest_count"


class GuestSearch(Model):
    """The grams by which a search finds a guest; a trigger of ``customers_guest`` keeps them."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="guest_id")
    owner_id = fields.BigIntField()
    grams: fields.Field[list[str]] = ArrayField(element_type="text")

    class Meta:
        table = "customers_guest_search"
