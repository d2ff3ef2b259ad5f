"""The tables of endpoints, deliveries and attempts."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class DeliveryState(StrEnum):
    """The state of a delivery. All but ``pending`` are final: a redelivery is a delivery of its own.

    A ``superseded`` delivery was still pending when a redelivery was requested, and is not sent again.
    """

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class DisabledReason(StrEnum):
    """Why the system, rather than its owner, disabled an endpoint."""

    GONE = "gone"
    FAILING = "failing"


class Endpoint(OwnerRow):
    """A receiver of one owner's events.

    ``secret`` is encrypted, and so is ``old_secrets``, the JSON of ``[{secret, expires_at}]``, newest first, or empty.
    ``scopes`` are those of the token that registered it; its deliveries contain personal data only within them.
    ``failure_count`` and ``failing_since`` describe the failures since the last success. Deleting an endpoint clears
    its URL and secrets at once; its log and its row are deleted in the background.

    One with a ``plugin`` is not the owner's: that plugin manages it through ``api``, by a ``reference`` of its own, and
    the owner does not see it; events that match ``excluded_events`` are not sent to it. ``name_key`` is the key of the
    event's name in its bodies.
    """

    url = fields.CharField(max_length=2048)
    events: fields.Field[list[str]] = ArrayField(element_type="text")
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    secret = fields.TextField()
    old_secrets = fields.TextField(default="")
    is_paused = fields.BooleanField(default=False)
    disabled_reason = fields.CharField(max_length=20, null=True)
    last_success_at = fields.DatetimeField(null=True)
    last_failure_at = fields.DatetimeField(null=True)
    failure_count = fields.IntField(default=0)
    failing_since = fields.DatetimeField(null=True)
    warned_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)
    plugin = fields.CharField(max_length=40, null=True)
    reference = fields.BigIntField(null=True)
    name_key = fields.CharField(max_length=5, default="event")
    excluded_events: fields.Field[list[str]] = ArrayField(element_type="text")

    class Meta:
        table = "webhooks_endpoint"


class Delivery(OwnerRow):
    """The delivery of one event to one endpoint.

    ``body`` is the JSON as it is signed and sent, null once pruned. ``next_attempt_at`` is set while another attempt is
    due; a pending delivery without it waits for its endpoint to be resumed. ``leased_until`` is when the lease of the
    sending process ends; together with ``attempts``, the number made so far, it decides whose result counts.
    ``http_status`` is that of the last attempt. ``redelivered_from_id`` is the original delivery of the event.
    """

    endpoint_id = fields.BigIntField()
    event_id = fields.BigIntField(null=True)
    message_id = fields.CharField(max_length=64)
    event = fields.CharField(max_length=100)
    body = fields.TextField(null=True)
    status = fields.CharField(max_length=10, default=DeliveryState.PENDING.value)
    attempts = fields.SmallIntField(default=0)
    http_status = fields.SmallIntField(null=True)
    next_attempt_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    redelivered_from_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "webhooks_delivery"


class Attempt(OwnerRow):
    """One HTTP request. ``http_status`` is null if there was no response, and ``error`` says why."""

    delivery_id = fields.BigIntField()
    number = fields.SmallIntField()
    http_status = fields.SmallIntField(null=True)
    error = fields.CharField(max_length=500, null=True)
    response_snippet = fields.TextField()
    duration_ms = fields.IntField()
    attempted_at = fields.DatetimeField()

    class Meta:
        table = "webhooks_attempt"
