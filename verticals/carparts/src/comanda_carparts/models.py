"""The vehicles that the parts of a store fit, and which part fits which."""

from tortoise import fields
from tortoise.models import Model


class Fitment(Model):
    """A range of vehicles that items of a store name; nobody sees it once none does.

    ``key`` is a SHA-256 of everything that makes two of them one; ``make_key`` and ``model_key`` are what searches
    compare. ``year_to`` None is no end.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    key = fields.BinaryField()
    make = fields.CharField(max_length=100)
    model = fields.CharField(max_length=100)
    make_key = fields.CharField(max_length=100)
    model_key = fields.CharField(max_length=100)
    year_from = fields.SmallIntField()
    year_to = fields.SmallIntField(null=True)
    engine = fields.CharField(max_length=100, null=True)
    trim = fields.CharField(max_length=100, null=True)
    note = fields.CharField(max_length=255, null=True)

    class Meta:
        table = "carparts_fitment"


class FitmentItem(Model):
    """One item fits one range of vehicles; it goes with the item."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    item_id = fields.BigIntField()
    fitment_id = fields.BigIntField()

    class Meta:
        table = "carparts_fitment_item"
