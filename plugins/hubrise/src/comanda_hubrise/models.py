"""The tables of connections to HubRise and of the orders that came from there."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Connection(Model):
    """A store's connection to a location at HubRise, which is checked every few minutes.

    ``credentials`` are encrypted. ``catalog_hash`` and ``inventory_hash`` are the SHA-256 of what was sent last.
    ``wakes`` counts the changes of the menu, ``handled`` is the count that was dealt with.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    location_id = fields.CharField(max_length=40)
    location_name = fields.CharField(max_length=255)
    catalog_id = fields.CharField(max_length=40, null=True)
    credentials = fields.TextField()
    sends_menu = fields.BooleanField()
    sends_sold_out = fields.BooleanField()
    cash_refs: fields.Field[list[str]] = ArrayField(element_type="text")
    catalog_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    inventory_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    checked_at = fields.DatetimeField(null=True)
    wakes = fields.IntField(default=0)
    handled = fields.IntField(default=0)
    attempts = fields.IntField(default=0)
    leased_until = fields.DatetimeField(null=True)
    next_attempt_at = fields.DatetimeField()
    error = fields.CharField(max_length=500, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "hubrise_connection"


class OrderLink(Model):
    """An order of HubRise, and the order that it became.

    ``sent_status`` is the status that HubRise has from here, ``seen_status`` the one that it had when it was read last.
    ``reason`` says why the order was rejected or ignored, or what has changed at HubRise since it was placed. ``wakes``
    counts what has happened to it, ``handled`` is the count that was dealt with.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    connection_id = fields.BigIntField()
    hubrise_id = fields.CharField(max_length=40)
    order_id = fields.BigIntField(null=True)
    state = fields.CharField(max_length=10)
    channel = fields.CharField(max_length=100, null=True)
    ref = fields.CharField(max_length=100, null=True)
    total = fields.CharField(max_length=30, null=True)
    reason = fields.CharField(max_length=500, null=True)
    sent_status = fields.CharField(max_length=20, null=True)
    seen_status = fields.CharField(max_length=20, null=True)
    wakes = fields.IntField(default=0)
    handled = fields.IntField(default=0)
    attempts = fields.IntField(default=0)
    leased_until = fields.DatetimeField(null=True)
    next_attempt_at = fields.DatetimeField(null=True)
    error = fields.CharField(max_length=500, null=True)
    dead_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "hubrise_order"
