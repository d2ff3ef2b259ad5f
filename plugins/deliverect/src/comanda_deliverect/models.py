"""The tables of connections to Deliverect and of the orders that came from there."""

from typing import Any

from tortoise import fields
from tortoise.models import Model


class Connection(Model):
    """A store's connection to a location at Deliverect, with encrypted credentials.

    ``snoozed`` has the ends that Deliverect was told of PLUs that cannot be ordered, null where they have to be told
    again; ``is_paused`` is whether it was told that the store takes no orders. ``refusal`` says what of that it did not
    take. ``wakes`` counts the changes here, ``handled`` is the count that was dealt with. ``changes_at`` is when
    something changes by itself.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    account_id = fields.CharField(max_length=40)
    location_id = fields.CharField(max_length=40)
    credentials = fields.TextField()
    snoozed: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    is_paused = fields.BooleanField(default=False)
    refusal = fields.CharField(max_length=500, null=True)
    changes_at = fields.DatetimeField(null=True)
    wakes = fields.IntField(default=0)
    handled = fields.IntField(default=0)
    attempts = fields.IntField(default=0)
    leased_until = fields.DatetimeField(null=True)
    next_attempt_at = fields.DatetimeField()
    error = fields.CharField(max_length=500, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "deliverect_connection"


class OrderLink(Model):
    """An order of Deliverect, and the order that it became.

    ``document`` is what Deliverect sent, until that was decided on. ``sent_status`` is the status that Deliverect has
    from here. ``wakes`` counts what has happened to it, ``handled`` is the count that was dealt with.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    connection_id = fields.BigIntField()
    deliverect_id = fields.CharField(max_length=40)
    order_id = fields.BigIntField(null=True)
    state = fields.CharField(max_length=10)
    document = fields.TextField(null=True)
    is_cancelled = fields.BooleanField()
    channel_order_id = fields.CharField(max_length=100, null=True)
    reason = fields.CharField(max_length=500, null=True)
    sent_status = fields.IntField(null=True)
    wakes = fields.IntField(default=0)
    handled = fields.IntField(default=0)
    attempts = fields.IntField(default=0)
    leased_until = fields.DatetimeField(null=True)
    next_attempt_at = fields.DatetimeField(null=True)
    error = fields.CharField(max_length=500, null=True)
    dead_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "deliverect_order"
