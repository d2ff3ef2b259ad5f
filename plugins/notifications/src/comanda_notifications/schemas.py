"""Devices, a store's own texts, and what guests are told of their orders, on the wire."""

from typing import Annotated, Literal

from comanda.contracts.fields import Body, ShortText, example
from comanda.contracts.fields import Text as WireText
from comanda.contracts.messaging import Channel
from pydantic import BaseModel, Field

from comanda_notifications.checking import PUSH_TOKEN_LENGTH, SUBJECT_LENGTH

Token = Annotated[str, Field(min_length=1, max_length=PUSH_TOKEN_LENGTH)]


class DeviceBody(Body):
    """A device that wants push messages; ``token`` is what its push service calls it."""

    model_config = example({"platform": "ios", "token": "f3a1c0de9b", "app_version": "1.4.0", "locale": "pt"})

    platform: Literal["ios", "android", "web"]
    token: Token
    app_version: Annotated[ShortText, Field(max_length=50)] | None = None
    locale: Annotated[ShortText, Field(max_length=35)] | None = None


class DeviceTokenBody(Body):
    """The device that wants none any more."""

    model_config = example({"token": "f3a1c0de9b"})

    token: Token


class Registered(BaseModel):
    """Whether the device hears of anything now."""

    registered: bool


class TextBody(Body):
    """A store's own words; ``{code}`` stands for the field ``code``. An SMS has no ``subject``, all else needs one."""

    model_config = example({"subject": "Your order {number}", "text": "Your order {number} is ready."})

    subject: Annotated[ShortText, Field(max_length=SUBJECT_LENGTH)] | None = None
    text: WireText


class Preview(BaseModel):
    """A text with samples where fields stand."""

    subject: str | None
    text: str


class TextOut(BaseModel):
    """The words in force on one channel and in one language; ``is_own`` tells the store's from the template's."""

    channel: Channel
    language: str
    subject: str | None
    text: str
    is_own: bool
    preview: Preview


class FieldOut(BaseModel):
    """What a text may name, and must if ``is_required``."""

    name: str
    sample: str
    is_required: bool


class TemplateOut(BaseModel):
    """A message that is sent again and again, and every text that there is for it."""

    name: str
    about: str
    channels: list[Channel]
    fields: list[FieldOut]
    texts: list[TextOut]


OrderMessage = Literal["received", "ready", "on_its_way", "delivered", "failed", "cancelled"]


class OrderMessagesChange(Body):
    """What guests are told of their orders, and by which channels, the preferred first. What is left out stays."""

    messages: Annotated[list[OrderMessage], Field(max_length=20)] | None = None
    channels: Annotated[list[Channel], Field(min_length=1, max_length=10)] | None = None


class OrderMessagesOut(BaseModel):
    """What guests are told, each message by the first of ``channels`` that reaches the guest."""

    messages: list[OrderMessage]
    channels: list[Channel]
