"""Messages on their way to people, attempts to get them there, the devices that take push, and what stores decide."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class MessageStatus(StrEnum):
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
    After ``expires_at`` it is not worth sending. ``transport`` carried it; ``error`` is why the last attempt failed. A
    push message has its device's ``platform``, and ``data`` for the app.
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
    platform = fields.CharField(max_length=10, null=True)
    data: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    is_secret = fields.BooleanField(default=False)
    status = fields.CharField(max_length=15, default=MessageStatus.PENDING.value)
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


class MessageAttempt(Model):
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


class PushDevice(Model):
    """A device whose app takes push messages for whoever is logged in on it: a caller's kind and subject.

    ``token`` is the push service's name for it, unique per owner by its SHA-256; ``token_id`` is the access token it
    was registered with, and the device hears nothing once that is void.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    kind = fields.CharField(max_length=20)
    subject_id = fields.BigIntField()
    token_id = fields.BigIntField()
    platform = fields.CharField(max_length=10)
    token = fields.CharField(max_length=4096)
    token_hash = fields.BinaryField()
    app_version = fields.CharField(max_length=50, null=True)
    locale = fields.CharField(max_length=35, null=True)
    created_at = fields.DatetimeField()
    registered_at = fields.DatetimeField()

    class Meta:
        table = "notifications_device"


class TemplateOverride(Model):
    """A store's own words for a message of the template ``name``, on one channel and in one language."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=100)
    channel = fields.CharField(max_length=10)
    language = fields.CharField(max_length=15)
    subject = fields.CharField(max_length=200, null=True)
    text = fields.CharField(max_length=2000)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "notifications_template"


class OrderMessages(Model):
    """What a store tells guests of their orders, and by which channels, the preferred one first."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    messages: fields.Field[list[str]] = ArrayField(element_type="text")
    channels: fields.Field[list[str]] = ArrayField(element_type="text")

    class Meta:
        table = "notifications_order_messages"
