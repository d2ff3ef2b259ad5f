"""The slot settings of stores, and the bookings of each slot."""

from comanda.platform.db import StoreRow
from tortoise import fields


class SlotSettings(StoreRow):
    """The slot settings of one mode of a store; without a row the defaults apply.

    ``capacity`` is the number of orders per slot, null for unlimited.
    """

    mode = fields.CharField(max_length=30)
    slot_minutes = fields.SmallIntField()
    capacity = fields.IntField(null=True)
    lead_minutes = fields.IntField()
    horizon_days = fields.SmallIntField()

    class Meta:
        table = "collection_settings"


class BookedSlot(StoreRow):
    """A slot with bookings; a slot without any has no row. ``taken`` counts orders that are not cancelled."""

    mode = fields.CharField(max_length=30)
    starts_at = fields.DatetimeField()
    taken = fields.IntField()

    class Meta:
        table = "collection_slot"
