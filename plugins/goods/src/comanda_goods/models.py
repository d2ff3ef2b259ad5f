"""The brands of a store, and which item is of which."""

from tortoise import fields
from tortoise.models import Model


class Brand(Model):
    """A brand that items of a store name, or that its owner wrote down.

    ``name_key`` is what makes two spellings one brand. One that is not ``is_kept`` is there because items name it, and
    nobody sees it once none does.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=255)
    name_key = fields.CharField(max_length=255)
    slug = fields.CharField(max_length=100)
    logo_url = fields.CharField(max_length=1000, null=True)
    is_kept = fields.BooleanField(default=False)

    class Meta:
        table = "goods_brand"


class ItemBrand(Model):
    """The brand that an item names; it goes with the item."""

    item_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    brand_id = fields.BigIntField()

    class Meta:
        table = "goods_item_brand"
