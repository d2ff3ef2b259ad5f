"""Tables of orders, for their migrations: orders are read and written with raw SQL, as frozen records."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model

from comanda.platform.db.orm.rows import OwnerRow, StoreRow


class Order(StoreRow):
    """An order, with names and prices as of the moment it was placed.

    ``given_discounts`` were given by hand, null for none, and ``amendments`` is how often it was amended.
    ``charges`` are those besides the service charge and the delivery fee, null for none; ``charges_minor`` is the sum
    of their amounts. ``paid_at`` is when the amount kept first reached the total, ``late_due_minor`` what is still due
    of charges added since; see ``balance``. ``taxes`` are the amounts by rate, null if no rate is above zero.
    """

    number = fields.IntField()
    business_date = fields.DateField()
    type = fields.CharField(max_length=30)
    status = fields.CharField(max_length=20)
    delivery_status = fields.CharField(max_length=20, null=True)
    payment_status = fields.CharField(max_length=20)
    currency = fields.CharField(max_length=3)
    subtotal_minor = fields.BigIntField()
    discount_total_minor = fields.BigIntField()
    coupon_code = fields.CharField(max_length=32, null=True)
    service_charge_minor = fields.BigIntField()
    delivery_fee_minor = fields.BigIntField()
    charges: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    charges_minor = fields.BigIntField(default=0)
    tax_total_minor = fields.BigIntField()
    is_tax_included = fields.BooleanField()
    tip_minor = fields.BigIntField()
    rounding_minor = fields.BigIntField()
    total_minor = fields.BigIntField()
    paid_minor = fields.BigIntField(default=0)
    refunded_minor = fields.BigIntField(default=0)
    late_due_minor = fields.BigIntField(default=0)
    taxes: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    paid_at = fields.DatetimeField(null=True)
    customer_id = fields.BigIntField(null=True)
    customer_name = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=50, null=True)
    address = fields.CharField(max_length=500, null=True)
    table_number = fields.CharField(max_length=20, null=True)
    room_number = fields.CharField(max_length=20, null=True)
    scheduled_for = fields.DatetimeField(null=True)
    note = fields.CharField(max_length=2000, null=True)
    source = fields.CharField(max_length=50)
    audience = fields.CharField(max_length=20)
    idempotency_key = fields.CharField(max_length=255, null=True)
    client_uuid = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    track_token = fields.CharField(max_length=64)
    track_hash = fields.BinaryField()
    timeline: fields.Field[dict[str, str]] = fields.JSONField()
    attributes: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    given_discounts: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    amendments = fields.IntField(default=0)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "core_order"


class OrderLine(OwnerRow):
    """A line of an order, with name and prices as of the moment it was ordered.

    ``quantity`` is what is left of it, ``voided_quantity`` what was taken off; ``round`` counts the times at which
    lines were added, from 1. ``combo`` is the combo that it belongs to, null for most.
    """

    order_id = fields.BigIntField()
    position = fields.SmallIntField()
    item_id = fields.BigIntField()
    variant_id = fields.BigIntField(null=True)
    name = fields.CharField(max_length=255)
    quantity = fields.IntField()
    unit_price_minor = fields.BigIntField()
    price_label = fields.CharField(max_length=100, null=True)
    variation: fields.Field[dict[str, Any]] = fields.JSONField(null=True)
    extras: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    note = fields.CharField(max_length=2000, null=True)
    discount_minor = fields.BigIntField()
    tax_minor = fields.BigIntField()
    tax_rate_ppm = fields.IntField()
    total_minor = fields.BigIntField()
    takes_stock = fields.BooleanField(default=False)
    round = fields.SmallIntField(default=1)
    seat = fields.SmallIntField(null=True)
    course = fields.SmallIntField(null=True)
    voided_quantity = fields.IntField(default=0)
    combo: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)

    class Meta:
        table = "core_order_line"


class Amendment(StoreRow):
    """A change of an order's lines, discounts or place after it was placed.

    ``number`` counts the amendments of an order from 1. ``changes`` are the lines whose quantity changed, each with the
    difference. ``approved_by`` is who approved what ``actor`` may not do alone.
    """

    order_id = fields.BigIntField()
    number = fields.IntField()
    kind = fields.CharField(max_length=20)
    changes: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    reason = fields.CharField(max_length=500, null=True)
    actor = fields.CharField(max_length=50)
    approved_by = fields.CharField(max_length=50, null=True)
    total_minor = fields.BigIntField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_order_amendment"


class OrderChange(OwnerRow):
    """A status change of an order: who, when, from and to."""

    order_id = fields.BigIntField()
    field = fields.CharField(max_length=30)
    from_value = fields.CharField(max_length=30, null=True)
    to_value = fields.CharField(max_length=30, null=True)
    actor = fields.CharField(max_length=50)
    note = fields.CharField(max_length=1000, null=True)
    changed_at = fields.DatetimeField()

    class Meta:
        table = "core_order_change"


class OrderTally(Model):
    """The number of a store's orders by status, and the last order number with its business date.

    Lists of orders take their ``total`` from here. Every transaction locks this row last, which prevents deadlocks.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    business_date = fields.DateField()
    last_number = fields.IntField()
    new = fields.BigIntField(default=0)
    preparing = fields.BigIntField(default=0)
    ready = fields.BigIntField(default=0)
    delivered = fields.BigIntField(default=0)
    completed = fields.BigIntField(default=0)
    cancelled = fields.BigIntField(default=0)

    class Meta:
        table = "core_order_tally"


class OrderSearch(Model):
    """The grams by which the search finds an order, kept beside it, because an order's row is written often.

    Orders newer than the last row are not there yet; see ``search_index``.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    grams: fields.Field[list[str]] = ArrayField(element_type="text")

    class Meta:
        table = "core_order_search"
