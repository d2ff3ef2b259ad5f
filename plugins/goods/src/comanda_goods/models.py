"""The tables of brands, and of the items linked to them."""

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.models import Model


class Brand(StoreRow):
    """A brand of a store, created by its owner or by the first item that names it.

    Spellings with the same ``name_key`` are the same brand. ``is_kept`` marks a brand that its owner created or
    changed; any other is hidden once no item names it.
    """

    name = fields.CharField(max_length=255)
    name_key = fields.CharField(max_length=255)
    slug = fields.CharField(max_length=100)
    logo_url = fields.CharField(max_length=1000, null=True)
    is_kept = fields.BooleanField(default=False)

    class Meta:
        table = "goods_brand"


class ItemBrand(Model):
    """The brand of an item; deleted with the item."""

    item_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    brand_id = fields.BigIntField()

    class Meta:
        table = "goods_item_brand"
