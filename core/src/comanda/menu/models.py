"""Tables of menus: categories, items, variants and extras."""

from typing import Any

from tortoise import fields
from tortoise.models import Model


class CategoryModel(Model):
    """A category of a store's menu."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    position = fields.IntField(default=0)
    is_active = fields.BooleanField(default=True)

    class Meta:
        table = "core_menu_category"


class ItemModel(Model):
    """An item for sale. ``stock`` None is not counted; ``attributes`` holds the fields of item capabilities."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    category_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    description = fields.TextField(null=True)
    image_url = fields.CharField(max_length=1000, null=True)
    price_minor = fields.BigIntField()
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


class VariantModel(Model):
    """A variant of an item with its own price and optionally its own stock; order lines call it ``variation``."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    sku = fields.CharField(max_length=100, null=True)
    barcode = fields.CharField(max_length=100, null=True)
    options: fields.Field[dict[str, str]] = fields.JSONField(default=dict)
    price_minor = fields.BigIntField()
    compare_at_price_minor = fields.BigIntField(null=True)
    stock = fields.IntField(null=True)
    is_active = fields.BooleanField(default=True)
    position = fields.IntField(default=0)

    class Meta:
        table = "core_variant"


class ExtraGroupModel(Model):
    """A group of extras: choose ``min_count`` to ``max_count``, of which the first ``free_count`` are free."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    item_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    min_count = fields.SmallIntField(default=0)
    max_count = fields.SmallIntField(null=True)
    free_count = fields.SmallIntField(default=0)
    allows_repeats = fields.BooleanField(default=False)
    position = fields.IntField(default=0)

    class Meta:
        table = "core_extra_group"


class ExtraModel(Model):
    """An extra of an item with its price; sold out permanently or until ``sold_out_until``."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    group_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    price_minor = fields.BigIntField(default=0)
    is_sold_out = fields.BooleanField(default=False)
    sold_out_until = fields.DatetimeField(null=True)
    position = fields.IntField(default=0)

    class Meta:
        table = "core_extra"


class StockChange(Model):
    """A movement of stock and its reason."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    item_id = fields.BigIntField()
    variant_id = fields.BigIntField(null=True)
    delta = fields.IntField()
    reason = fields.CharField(max_length=50)
    order_id = fields.BigIntField(null=True)
    changed_at = fields.DatetimeField()

    class Meta:
        table = "core_stock_change"
