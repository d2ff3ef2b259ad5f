"""Messages on their way to people, and every attempt to get them there."""

from enum import StrEnum

from tortoise import fields
from tortoise.models import Model


class Status(StrEnum):
    """Where a message stands; both ends are final."""

    PENDING = "pending"
    SENT = "sent"
    UNDELIVERABLE = "undeliverable"


class StoredMessage(Model):
    """One message to one address.

    ``number`` is a random id that receivers see, the same at each attempt. ``purpose`` says what it is for, such as
    ``customers.code``; ``once_key`` lets a repeated cause write no second message. The text of a secret message is
    gone when the message is sent or given up. ``next_attempt_at`` is set while it is pending; ``leased_until`` says how
    long the sender that holds it may take; with ``attempts``, the number made so far, it tells whose result counts.
    After ``expires_at`` it is not worth sending. ``transport`` carried it; ``error`` is why the last attempt failed.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField(null=True)
    number = fields.CharField(max_length=40)
    purpose = fields.CharField(max_length=100)
    once_key = fields.CharField(max_length=200, null=True)
    channel = fields.CharField(max_length=10)
    address = fields.CharField(max_length=4096)
    subject = fields.CharField(max_length=200, null=True)
    text = fields.TextField(null=True)
    html = fields.TextField(null=True)
    is_secret = fields.BooleanField(default=False)
    status = fields.CharField(max_length=15, default=Status.PENDING.value)
    attempts = fields.SmallIntField(default=0)
    transport = fields.CharField(max_length=100, null=True)
    error = fields.CharField(max_length=500, null=True)
    next_attempt_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    expires_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "notifications_message"


class Attempt(Model):
    """One try: ``error`` is null where the transport took the message."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    message_id = fields.BigIntField()
    number = fields.SmallIntField()
    transport = fields.CharField(max_length=100, null=True)
    error = fields.CharField(max_length=500, null=True)
    duration_ms = fields.IntField()
    attempted_at = fields.DatetimeField()

    class Meta:
        table = "notifications_attempt"
