"""The tables of the kitchen: stations, routes, settings, and the state of order lines."""

from enum import StrEnum

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.models import Model


class ItemState(StrEnum):
    """The state of one order line in the kitchen."""

    QUEUED = "queued"
    PREPARING = "preparing"
    READY = "ready"
    SERVED = "served"


class Station(StoreRow):
    """A place in the kitchen, such as the grill. Of a store's stations exactly one is the default.

    ``bumps`` is null where the store's setting applies.
    """

    name = fields.CharField(max_length=100)
    position = fields.IntField(default=0)
    is_default = fields.BooleanField(default=False)
    bumps = fields.SmallIntField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "kds_station"


class StationRoute(StoreRow):
    """The station that makes an item, or all items of a category; without a station, the kitchen does not make them."""

    item_id = fields.BigIntField(null=True)
    category_id = fields.BigIntField(null=True)
    station_id = fields.BigIntField(null=True)

    class Meta:
        table = "kds_route"


class KitchenSettings(StoreRow):
    """The settings of a store's kitchen; null falls back to the installation's setting.

    ``version`` is incremented with every change of settings, stations and routes, which locks the row.
    """

    version = fields.IntField(default=0)
    soon_minutes = fields.SmallIntField(null=True)
    late_minutes = fields.SmallIntField(null=True)
    lead_minutes = fields.SmallIntField(null=True)

    class Meta:
        table = "kds_settings"


class TicketItem(Model):
    """The state of an order line. The state of a line without a row follows from its order's status.

    An order has rows for all of its lines or for none: bumping the first one writes them all.
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


class Step(StoreRow):
    """One bump or recall that had an idempotency key, so that a screen may send it again after a lost answer."""

    order_id = fields.BigIntField()
    order_line_id = fields.BigIntField()
    from_state = fields.CharField(max_length=10)
    to_state = fields.CharField(max_length=10)
    made_by = fields.CharField(max_length=50, null=True)
    created_at = fields.DatetimeField()
    idempotency_key = fields.CharField(max_length=255)
    body_hash: fields.Field[bytes] = fields.BinaryField()

    class Meta:
        table = "kds_step"


class Round(StoreRow):
    """A round that came to an order after it was placed; the age of its ticket counts from ``placed_at``."""

    order_id = fields.BigIntField()
    round = fields.SmallIntField()
    placed_at = fields.DatetimeField()

    class Meta:
        table = "kds_round"


class Course(StoreRow):
    """A course of an order that was fired at ``fired_at`` or will be at ``fire_at``. The first one needs no row."""

    order_id = fields.BigIntField()
    course = fields.SmallIntField()
    fire_at = fields.DatetimeField(null=True)
    fired_at = fields.DatetimeField(null=True)
    fired_by = fields.CharField(max_length=50)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "kds_course"


class Void(StoreRow):
    """A quantity taken off a line while it was in the kitchen; its ticket shows it until a cook has seen it."""

    order_id = fields.BigIntField()
    order_line_id = fields.BigIntField()
    round = fields.SmallIntField()
    quantity = fields.IntField()
    voided_at = fields.DatetimeField()
    seen_at = fields.DatetimeField(null=True)
    seen_by = fields.CharField(max_length=50, null=True)

    class Meta:
        table = "kds_void"
