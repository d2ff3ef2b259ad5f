"""Messages, attempts, push devices, and a store's own texts and order messages."""

from enum import StrEnum
from typing import Any, Literal

from comanda.contracts import Channel
from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model

OrderMessage = Literal["received", "ready", "on_its_way", "near", "delivered", "failed", "cancelled"]


class MessageStatus(StrEnum):
    """The status of a message; all but pending are final.

    An SMS is ``over_limit`` or ``opted_out`` if it was not sent because of the owner's limit, or of an answer of STOP.
    """

    PENDING = "pending"
    SENT = "sent"
    UNDELIVERABLE = "undeliverable"
    OVER_LIMIT = "over_limit"
    OPTED_OUT = "opted_out"


class SmsDelivery(StrEnum):
    """What a service reported on a message that it had taken."""

    DELIVERED = "delivered"
    FAILED = "failed"


class Urgency(StrEnum):
    """How soon an SMS has to arrive: codes also beyond the owner's limit, prompt ones also in quiet hours."""

    CODE = "code"
    PROMPT = "prompt"
    LATER = "later"


class StoredMessage(OwnerRow):
    """One message to one address.

    ``number`` is a random public id, the same for each attempt. ``purpose`` is what the message is for, such as
    ``customers.code``; ``once_key`` deduplicates messages with a repeated cause. The text of a secret message is erased
    once it was sent or given up. ``next_attempt_at`` is set while it is pending. ``leased_until`` is the end of the
    sender's lease; together with ``attempts``, the number made so far, it identifies whose result counts. The message
    is not sent after ``expires_at``. ``transport`` is the last one used; ``error`` is why the last attempt failed. A
    push message has its device's ``platform``, and ``data`` for the app. ``sender_name`` and ``reply_to`` are those of
    an e-mail. ``delivery`` is what the service reported since.
    """

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
    sender_name = fields.CharField(max_length=255, null=True)
    reply_to = fields.CharField(max_length=254, null=True)
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
    delivery = fields.CharField(max_length=10, null=True)
    delivery_error = fields.CharField(max_length=500, null=True)
    reported_at = fields.DatetimeField(null=True)

    class Meta:
        table = "notifications_message"


class MessageAttempt(OwnerRow):
    """One attempt to send a message; ``error`` is null if the transport accepted it."""

    message_id = fields.BigIntField()
    number = fields.SmallIntField()
    transport = fields.CharField(max_length=100, null=True)
    error = fields.CharField(max_length=500, null=True)
    duration_ms = fields.IntField()
    attempted_at = fields.DatetimeField()

    class Meta:
        table = "notifications_attempt"


class PushDevice(OwnerRow):
    """A device that receives push messages for the person logged in on it, a caller's kind and subject.

    ``token`` is its token from the push service, unique per owner by its SHA-256. ``token_id`` is the access token it
    was registered with; the device is inactive once that is revoked or expired.
    """

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


class OrderDevice(OwnerRow):
    """A browser that receives push messages about an order, in the language of the page on which they were asked for.

    ``token`` is its subscription, unique per order by its SHA-256. It is deleted when the order has ended.
    """

    order_id = fields.BigIntField()
    token = fields.CharField(max_length=4096)
    token_hash = fields.BinaryField()
    locale = fields.CharField(max_length=35, null=True)
    registered_at = fields.DatetimeField()

    class Meta:
        table = "notifications_order_device"


class TemplateOverride(StoreRow):
    """A store's own text for the template ``name``, for one channel and language."""

    name = fields.CharField(max_length=100)
    channel = fields.CharField(max_length=10)
    language = fields.CharField(max_length=15)
    subject = fields.CharField(max_length=200, null=True)
    text = fields.CharField(max_length=2000)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "notifications_template"


class OwnerSmsLimits(Model):
    """An owner's limit of SMS in a month, and quiet hours by the time zone of each store, such as 22:00 and 08:00."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="owner_id")
    monthly_limit = fields.IntField(null=True)
    quiet_from = fields.CharField(max_length=5, null=True)
    quiet_until = fields.CharField(max_length=5, null=True)

    class Meta:
        table = "notifications_sms_limits"


class SmsMonth(Model):
    """How many SMS an owner sent in a month, which begins by UTC, and how many were withheld beyond the limit.

    ``noticed_percent`` is the highest part of the limit of which the owner was told.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="owner_id")
    month = fields.DateField()
    sent = fields.IntField(default=0)
    withheld = fields.IntField(default=0)
    noticed_percent = fields.SmallIntField(default=0)

    class Meta:
        table = "notifications_sms_month"


class SmsReply(OwnerRow):
    """A word with which a number stopped an owner's SMS, or started them again; the last one of a number counts.

    ``phone_hash`` is a keyed hash. ``reply_id`` is the service's, unique per owner, so that a copy has no effect.
    """

    phone_hash = fields.BinaryField()
    reply_id = fields.CharField(max_length=200)
    is_stop = fields.BooleanField()
    received_at = fields.DatetimeField()

    class Meta:
        table = "notifications_sms_reply"


class OrderMessages(Model):
    """Which messages a store sends guests about their orders, and by which channels, in order of preference.

    ``reply_to`` is the address for answers to all of the store's e-mails.
    """

    id = fields.BigIntField(primary_key=True, generated=False, source_field="store_id")
    owner_id = fields.BigIntField()
    messages: fields.Field[list[OrderMessage]] = ArrayField(element_type="text")
    channels: fields.Field[list[Channel]] = ArrayField(element_type="text")
    reply_to = fields.CharField(max_length=254, null=True)

    class Meta:
        table = "notifications_order_messages"
