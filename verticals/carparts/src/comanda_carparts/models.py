"""Tables of fitments, and of the items that have them."""

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields


class Fitment(StoreRow):
    """A range of vehicles shared by the items of a store that fit it; hidden once no item does.

    ``key`` is a SHA-256 of the values that make two fitments equal; searches compare ``make_key`` and ``model_key``.
    ``year_to`` is None for an open-ended range.
    """

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


class FitmentItem(OwnerRow):
    """One item fits one range of vehicles; deleted with the item."""

    item_id = fields.BigIntField()
    fitment_id = fields.BigIntField()

    class Meta:
        table = "carparts_fitment_item"
