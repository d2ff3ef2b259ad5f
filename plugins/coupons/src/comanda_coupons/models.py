"""The tables of coupons and promotions, and their redemptions."""

from enum import StrEnum
from typing import Any

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class CouponType(StrEnum):
    """The type of a coupon's value: a percentage or an amount."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"


class PromotionType(StrEnum):
    """What a promotion does: as a coupon, or by the number of units that are bought."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"
    PRICE_CUT = "price_cut"
    NTH_FREE = "nth_free"
    BUNDLE = "bundle"


class PromotionChannel(StrEnum):
    """Where orders come from: guests' pages and agents, the app of customers, the till, or the owner's programs."""

    STOREFRONT = "storefront"
    CUSTOMER = "customer"
    STAFF = "staff"
    OWNER = "owner"


class Coupon(StoreRow):
    """A discount on orders of one store: a coupon, which has a ``code``, or a promotion, which has a ``name`` instead.

    ``value_ppm`` is set for a percentage (125000 is 12.5 %), ``value_minor`` for an amount, ``quantity`` for one by the
    number of units. An empty ``modes`` means all, as do empty ``channels``; with both ``item_ids`` and ``category_ids``
    empty it applies to everything. ``used_count`` counts redemptions by orders that are not cancelled, and
    ``spent_minor`` what they took off; those of a promotion are only counted if it has a limit. The row of a deleted
    one stays for the orders that used it.
    """

    code = fields.CharField(max_length=32, null=True)
    name = fields.CharField(max_length=80, null=True)
    type = fields.CharField(max_length=10)
    value_ppm = fields.IntField(null=True)
    value_minor = fields.BigIntField(null=True)
    quantity = fields.SmallIntField(null=True)
    min_subtotal_minor = fields.BigIntField(null=True)
    max_discount_minor = fields.BigIntField(null=True)
    starts_at = fields.DatetimeField(null=True)
    ends_at = fields.DatetimeField(null=True)
    valid_at: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list)
    usage_limit = fields.IntField(null=True)
    per_customer_limit = fields.IntField(null=True)
    first_order_only = fields.BooleanField(default=False)
    budget_minor = fields.BigIntField(null=True)
    channels: fields.Field[list[str]] = ArrayField(element_type="text", default=list)
    modes: fields.Field[list[str]] = ArrayField(element_type="text")
    item_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    category_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    is_active = fields.BooleanField(default=True)
    used_count = fields.IntField(default=0)
    spent_minor = fields.BigIntField(default=0)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "coupons_coupon"


class Redemption(OwnerRow):
    """One redemption of a coupon or promotion, by a guest known by customer id, phone (``phone_key``), both or neither.

    ``returned_at`` is set while the order is cancelled.
    """

    coupon_id = fields.BigIntField()
    order_id = fields.BigIntField()
    customer_id = fields.BigIntField(null=True)
    phone_key = fields.CharField(max_length=8, null=True)
    discount_minor = fields.BigIntField()
    used_at = fields.DatetimeField()
    returned_at = fields.DatetimeField(null=True)

    class Meta:
        table = "coupons_use"
