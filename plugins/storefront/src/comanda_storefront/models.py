"""The table of carts that agents fill for guests."""

from typing import Any

from tortoise import fields
from tortoise.models import Model


class Cart(Model):
    """A cart. ``items`` are the requested lines without prices, which are calculated whenever the cart is read.

    ``version`` increases with each change of its contents. ``order_id`` is the order that the cart became, if any;
    ``session`` is what the protocol by which an agent fills it keeps beside its contents.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    handle_hash = fields.BinaryField()
    type = fields.CharField(max_length=30)
    items: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    table_number = fields.CharField(max_length=20, null=True)
    scheduled_for = fields.DatetimeField(null=True)
    note = fields.TextField(null=True)
    coupon_code = fields.CharField(max_length=32, null=True)
    details: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    session: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    version = fields.IntField(default=1)
    order_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "storefront_cart"
