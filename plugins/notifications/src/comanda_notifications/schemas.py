"""Requests about push devices, message templates, messages and order messages."""

from typing import Annotated, Literal

from comanda.contracts import Body, Channel, ShortText, example
from comanda.contracts import Text as WireText
from pydantic import BaseModel, Field

from comanda_notifications.models import MessageStatus, OrderMessage
from comanda_notifications.services.validation import MAX_PUSH_TOKEN_LENGTH, MAX_SUBJECT_LENGTH

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
    """Messages to guests about their orders, and channels in order of preference. Fields left out are unchanged."""

    messages: Annotated[list[OrderMessage], Field(max_length=20)] | None = None
    channels: Annotated[list[Channel], Field(min_length=1, max_length=10)] | None = None


class MessageQuery(BaseModel):
    """Filters of the list of messages; ``search`` is part of an address."""

    status: MessageStatus | None = None
    channel: Channel | None = None
    search: Annotated[ShortText, Field(max_length=100)] = ""
