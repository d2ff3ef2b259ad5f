"""The tables of coupons and their redemptions."""

from enum import StrEnum

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class CouponType(StrEnum):
    """The type of a coupon's value: a percentage or an amount."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"


class CouponModel(Model):
    """A code that gives a discount on orders of one store.

    ``value_ppm`` is set for a percentage (125000 is 12.5 %), ``value_minor`` for an amount. An empty ``modes`` means
    all; with both ``item_ids`` and ``category_ids`` empty it applies to everything. ``used_count`` counts redemptions
    by orders that are not cancelled. The row of a deleted coupon stays for the orders that used it.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    code = fields.CharField(max_length=32)
    type = fields.CharField(max_length=10)
    value_ppm = fields.IntField(null=True)
    value_minor = fields.BigIntField(null=True)
    min_subtotal_minor = fields.BigIntField(null=True)
    max_discount_minor = fields.BigIntField(null=True)
    starts_at = fields.DatetimeField(null=True)
    ends_at = fields.DatetimeField(null=True)
    usage_limit = fields.IntField(null=True)
    per_customer_limit = fields.IntField(null=True)
    first_order_only = fields.BooleanField(default=False)
    modes: fields.Field[list[str]] = ArrayField(element_type="text")
    item_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    category_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    is_active = fields.BooleanField(default=True)
    used_count = fields.IntField(default=0)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "coupons_coupon"


class Redemption(Model):
    """One redemption of a coupon, by a guest identified by customer id, phone (``phone_key``), both or neither.

    ``returned_at`` is set while the order is cancelled.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    coupon_id = fields.BigIntField()
    order_id = fields.BigIntField()
    customer_id = fields.BigIntField(null=True)
    phone_key = fields.CharField(max_length=8, null=True)
    discount_minor = fields.BigIntField()
    used_at = fields.DatetimeField()
    returned_at = fields.DatetimeField(null=True)

    class Meta:
        table = "coupons_use"
