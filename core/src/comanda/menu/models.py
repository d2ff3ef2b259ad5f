"""Tables of menus: categories, items, variants, extras and price lists."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

from comanda.platform.db.orm.rows import StoreRow


class Category(StoreRow):
    """A category of a store's menu."""

    name = fields.CharField(max_length=255)
    position = fields.IntField(default=0)
    is_active = fields.BooleanField(default=True)

    class Meta:
        table = "core_menu_category"


class Item(StoreRow):
    """An item for sale. ``stock`` None is not counted; ``attributes`` holds the fields of item capabilities.

    ``former_prices`` are written by the database when the price changes.
    """

    category_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    description = fields.TextField(null=True)
    image_url = fields.CharField(max_length=1000, null=True)
    price_minor = fields.BigIntField()
    compare_at_price_minor = fields.BigIntField(null=True)
    former_prices: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list)
    tax_rate_ppm = fields.IntField(null=True)
    is_sold_out = fields.BooleanField(default=False)
    sold_out_until = fields.DatetimeField(null=True)
    is_popular = fields.BooleanField(default=False)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)
    stock = fields.IntField(null=True)
    allow_backorder = fields.BooleanField(default=False)
    attributes: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_menu_item"


class Variant(StoreRow):
    """A variant of an item with its own price and optionally its own stock; order lines call it ``variation``."""

    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    sku = fields.CharField(max_length=100, null=True)
    barcode = fields.CharField(max_length=100, null=True)
    options: fields.Field[dict[str, str]] = fields.JSONField(default=dict)
    price_minor = fields.BigIntField()
    compare_at_price_minor = fields.BigIntField(null=True)
    former_prices: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list)
    stock = fields.IntField(null=True)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)

    class Meta:
        table = "core_variant"


class ExtraGroup(StoreRow):
    """A group of extras: choose ``min_count`` to ``max_count``, of which the first ``free_count`` are free.

    ``item_discount_ppm`` is what is taken off the prices of the items that its extras point to, null if those are part
    of the price of the combo.
    """

    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    min_count = fields.SmallIntField(default=0)
    max_count = fields.SmallIntField(null=True)
    free_count = fields.SmallIntField(default=0)
    allows_repeats = fields.BooleanField(default=False)
    item_discount_ppm = fields.IntField(null=True)
    position = fields.IntField(default=0)

    class Meta:
        table = "core_extra_group"


class Extra(StoreRow):
    """An extra of an item with its price; sold out permanently or until ``sold_out_until``.

    ``item_id`` and ``variant_id`` are the item that it is, and its variant, if the extra is a choice of a combo.
    """

    group_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    price_minor = fields.BigIntField(default=0)
    is_sold_out = fields.BooleanField(default=False)
    sold_out_until = fields.DatetimeField(null=True)
    position = fields.IntField(default=0)
    item_id = fields.BigIntField(null=True)
    variant_id = fields.BigIntField(null=True)

    class Meta:
        table = "core_extra"


class StockChange(StoreRow):
    """A movement of stock and its reason."""

    item_id = fields.BigIntField()
    variant_id = fields.BigIntField(null=True)
    delta = fields.IntField()
    reason = fields.CharField(max_length=50)
    order_id = fields.BigIntField(null=True)
    changed_at = fields.DatetimeField()

    class Meta:
        table = "core_stock_change"


class MenuImport(StoreRow):
    """An import in the background, which waits for a worker until it is due no more; a store has one at a time."""

    file = fields.BinaryField()
    options: fields.Field[dict[str, Any]] = fields.JSONField()
    status = fields.CharField(max_length=20, default="waiting")
    items_count = fields.IntField(default=0)
    items_done = fields.IntField(default=0)
    report: fields.Field[dict[str, Any]] = fields.JSONField(null=True)
    problem: fields.Field[dict[str, Any]] = fields.JSONField(null=True)
    created_at = fields.DatetimeField()
    next_attempt_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)

    class Meta:
        table = "core_menu_import"


class PriceList(StoreRow):
    """Other prices of a store's menu for some order types, channels or times.

    ``prices`` are the fixed ones, each as the id of an item, the id of its variant or null, and minor units.
    """

    name = fields.CharField(max_length=80)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)
    modes: fields.Field[list[str]] = ArrayField(element_type="text")
    channels: fields.Field[list[str]] = ArrayField(element_type="text")
    valid_at: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list)
    percent_ppm = fields.IntField(null=True)
    amount_minor = fields.BigIntField(null=True)
    step_minor = fields.BigIntField(null=True)
    minus_minor = fields.BigIntField(default=0)
    category_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    prices: fields.Field[list[tuple[int, int | None, int]]] = fields.JSONField(default=list)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_price_list"
