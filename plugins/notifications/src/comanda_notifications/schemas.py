"""Request and response bodies of push devices, message templates and order messages."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, ShortText, example
from comanda.contracts.fields import Text as WireText
from comanda.contracts.messaging import Channel
from pydantic import BaseModel, Field

from comanda_notifications.models import MessageStatus
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


class Registered(BaseModel):
    """Whether the device is registered."""

    registered: bool


class TextBody(Body):
    """A store's own text; ``{code}`` is replaced by the field ``code``. ``subject`` is required except for SMS."""

    model_config = example({"subject": "Your order {number}", "text": "Your order {number} is ready."})

    subject: Annotated[ShortText, Field(max_length=MAX_SUBJECT_LENGTH)] | None = None
    text: WireText


class Preview(BaseModel):
    """A text filled in with sample values."""

    subject: str | None
    text: str


class TextOut(BaseModel):
    """The current text for one channel and language; ``is_own`` is whether it is the store's own."""

    channel: Channel
    language: str
    subject: str | None
    text: str
    is_own: bool
    preview: Preview


class FieldOut(BaseModel):
    """A field of a template; a text must use it if ``is_required``."""

    name: str
    sample: str
    is_required: bool


class TemplateOut(BaseModel):
    """A message template with all current texts."""

    name: str
    about: str
    channels: list[Channel]
    fields: list[FieldOut]
    texts: list[TextOut]


OrderMessage = Literal["received", "ready", "on_its_way", "delivered", "failed", "cancelled"]


class OrderMessagesChange(Body):
    """Messages to guests about their orders, and channels in order of preference. Fields left out are unchanged."""

    messages: Annotated[list[OrderMessage], Field(max_length=20)] | None = None
    channels: Annotated[list[Channel], Field(min_length=1, max_length=10)] | None = None


class OrderMessagesOut(BaseModel):
    """Messages to guests about their orders, each sent by the first of ``channels`` that reaches the guest."""

    messages: list[OrderMessage]
    channels: list[Channel]


class MessageQuery(BaseModel):
    """Filters of the list of messages; ``search`` is part of an address."""

    status: MessageStatus | None = None
    channel: Channel | None = None
    search: Annotated[ShortText, Field(max_length=100)] = ""


class MessageOut(BaseModel):
    """A message to a guest or a member of staff.

    ``to`` is null for push messages, ``text`` for secret ones such as codes. ``error`` is why the last attempt failed.
    """

    id: int
    purpose: str
    channel: Channel
    to: Annotated[str | None, Field(validation_alias="address")]
    subject: str | None
    text: str | None
    is_secret: bool
    status: MessageStatus
    attempts: int
    error: str | None
    next_attempt_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


class MessageChannelOut(BaseModel):
    """A channel of messages. Without a ``transport`` the operator has set none up, and its messages are not sent."""

    channel: Channel
    is_ready: bool
    transport: str | None
