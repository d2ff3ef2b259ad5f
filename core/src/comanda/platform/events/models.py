"""The outbox, and the lanes of event handlers."""

from tortoise import fields

from comanda.platform.db.orm.rows import OwnerRow


class OutboxEvent(OwnerRow):
    """An event to be dispatched, written in the transaction that caused it.

    ``due_at`` is when a dispatcher may claim it: at once, or when the lease of one that died ends. ``done_at`` is set
    once each handler has dealt with it, or has it in its lane.
    """

    store_id = fields.BigIntField(null=True)
    name = fields.CharField(max_length=100)
    data: fields.Field[dict[str, object]] = fields.JSONField()
    occurred_at = fields.DatetimeField()
    due_at = fields.DatetimeField()
    attempts = fields.IntField(default=0)
    done_at = fields.DatetimeField(null=True)

    class Meta:
        table = "core_outbox"


class LaneEvent(OwnerRow):
    """An event that one handler has yet to deal with, because it failed, hung or was busy.

    The row is deleted when the handler succeeds. ``attempts`` counts the handler's failures with this event.
    """

    event_id = fields.BigIntField()
    handler = fields.CharField(max_length=100)
    due_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)
    last_error = fields.TextField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_event_lane"
