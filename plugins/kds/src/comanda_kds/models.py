"""The tables of the kitchen: stations, what is made where, and how far each line of an order is."""

from tortoise import fields
from tortoise.models import Model


class Station(Model):
    """A place in the kitchen, such as the grill. Of a store's stations exactly one is the default."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=100)
    position = fields.IntField(default=0)
    is_default = fields.BooleanField(default=False)
    created_at = fields.DatetimeField()

    class Meta:
        table = "kds_station"


class StationRoute(Model):
    """Where one item, or everything in one category, is made; with no station, not in the kitchen."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    item_id = fields.BigIntField(null=True)
    category_id = fields.BigIntField(null=True)
    station_id = fields.BigIntField(null=True)

    class Meta:
        table = "kds_route"


class KitchenSettings(Model):
    """What an owner decided for a store's kitchen, null where the installation's setting holds.

    ``version`` grows with every change of settings, stations and routing; whoever changes one of them locks the row.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    version = fields.IntField(default=0)
    soon_minutes = fields.SmallIntField(null=True)
    late_minutes = fields.SmallIntField(null=True)
    lead_minutes = fields.SmallIntField(null=True)

    class Meta:
        table = "kds_settings"


class TicketItem(Model):
    """How far a line of an order is. A line without a row is as far as its order's status says.

    An order has rows for all its lines or for none: they are written when the first of them is bumped.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_line_id")
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField()
    state = fields.CharField(max_length=10)
    started_at = fields.DatetimeField(null=True)
    ready_at = fields.DatetimeField(null=True)
    served_at = fields.DatetimeField(null=True)
    bumped_by = fields.CharField(max_length=50, null=True)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "kds_item"
