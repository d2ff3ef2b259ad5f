"""How a store's slots are cut, and how many customers each of them has."""

from tortoise import fields
from tortoise.models import Model


class Settings(Model):
    """What an owner decided for one mode of a store; without a row the mode's defaults hold.

    ``capacity`` is the number of orders that one slot takes, null for any number.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    mode = fields.CharField(max_length=30)
    slot_minutes = fields.SmallIntField()
    capacity = fields.IntField(null=True)
    lead_minutes = fields.IntField()
    horizon_days = fields.SmallIntField()

    class Meta:
        table = "collection_settings"


class Slot(Model):
    """A slot that somebody has taken; one that nobody has is not in the table. ``taken`` counts standing orders."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    mode = fields.CharField(max_length=30)
    starts_at = fields.DatetimeField()
    taken = fields.IntField()

    class Meta:
        table = "collection_slot"
