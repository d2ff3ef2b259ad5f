"""The outbox."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class OutboxEvent(Model):
    """An event to be dispatched, written in the transaction that caused it.

    ``due_at`` is when a dispatcher may claim it: at once, or when a lease or a pause after a failure ends. ``handled``
    lists the handlers that succeeded; ``done_at`` is set when all have.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField(null=True)
    name = fields.CharField(max_length=100)
    data: fields.Field[dict[str, object]] = fields.JSONField()
    occurred_at = fields.DatetimeField()
    due_at = fields.DatetimeField()
    attempts = fields.IntField(default=0)
    handled: fields.Field[list[str]] = ArrayField(element_type="text")
    last_error = fields.TextField(null=True)
    done_at = fields.DatetimeField(null=True)

    class Meta:
        table = "core_outbox"
