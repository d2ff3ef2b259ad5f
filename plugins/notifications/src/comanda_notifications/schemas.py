"""Requests about push devices, message templates, messages and order messages."""

from typing import Annotated, Literal

from comanda.contracts import Body, Channel, Email, ShortText, TimeOfDay, example
from comanda.contracts import Text as WireText
from pydantic import BaseModel, Field

from comanda_notifications.models import MessageStatus, OrderMessage, SmsDelivery
from comanda_notifications.services.validation import MAX_EMAIL_LENGTH, MAX_PUSH_TOKEN_LENGTH, MAX_SUBJECT_LENGTH

Token = Annotated[str, Field(min_length=1, max_length=MAX_PUSH_TOKEN_LENGTH)]


class DeviceBody(Body):
    """A device to register for push messages; ``token`` is its token from the push service."""

    model_config = example({"platform": "ios", "token": "f3a1c0de9b", "app_version": "1.4.0", "locale": "pt"})

    platform: Literal["ios", "android", "web"]
    token: Token
    app_version: Annotated[ShortText, Field(max_length=50)] | None = None
    locale: Annotated[ShortText, Field(max_length=35)] | None = None


class DeviceTokenBody(Body):
    """The device to unregister."""

    model_config = example({"token": "f3a1c0de9b"})

    token: Token


class TextBody(Body):
    """A store's own text; ``{code}`` is replaced by the field ``code``. ``subject`` is required except for SMS."""

    model_config = example({"subject": "Your order {number}", "text": "Your order {number} is ready."})

    subject: Annotated[ShortText, Field(max_length=MAX_SUBJECT_LENGTH)] | None = None
    text: WireText


class OrderMessagesChange(Body):
    """Messages to guests about their orders, and channels in order of preference. Fields left out are unchanged.

    ``reply_to`` is the address for answers to all of the store's e-mails.
    """

    messages: Annotated[list[OrderMessage], Field(max_length=20)] | None = None
    channels: Annotated[list[Channel], Field(min_length=1, max_length=10)] | None = None
    reply_to: Annotated[Email, Field(max_length=MAX_EMAIL_LENGTH)] | None = None


class SmsLimitsBody(Body):
    """Limits of your SMS. Without a limit all are sent, and without times there are no quiet hours."""

    model_config = example({"monthly_limit": 500, "quiet_from": "22:00", "quiet_until": "08:00"})

    monthly_limit: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    quiet_from: TimeOfDay | None = None
    quiet_until: TimeOfDay | None = None


class DeliveryReportBody(Body):
    """Whether a message arrived; ``id`` is the one that the gateway received."""

    model_config = example({"id": "msg_0c5f", "status": "failed", "error": "Unknown subscriber"})

    id: Annotated[ShortText, Field(max_length=40)]
    status: SmsDelivery
    error: Annotated[ShortText, Field(max_length=500)] | None = None


class GuestReplyBody(Body):
    """What a guest answered. ``id`` is the message that it answers, if the gateway knows it."""

    model_config = example({"from": "+351911111111", "text": "STOP", "id": "msg_0c5f"})

    from_: Annotated[ShortText, Field(alias="from", max_length=40)]
    text: Annotated[str, Field(max_length=2000)]
    id: Annotated[ShortText, Field(max_length=40)] | None = None


class MessageQuery(BaseModel):
    """Filters of the list of messages; ``search`` is part of an address."""

    status: MessageStatus | None = None
    channel: Channel | None = None
    search: Annotated[ShortText, Field(max_length=100)] = ""
