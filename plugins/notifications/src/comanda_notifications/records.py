"""Records of messages, their templates and devices, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from comanda.contracts import Channel, TimeOfDay
from pydantic import Field

from comanda_notifications.models import MessageStatus, OrderMessage, SmsDelivery


@dataclass(frozen=True, slots=True)
class DeviceRegistration:
    """Whether a device is registered for push messages."""

    registered: bool


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message as developers see it in the outbox; ``text`` is None once it was erased."""

    id: int
    owner_id: int
    store_id: int | None
    purpose: str
    channel: Channel
    address: str
    subject: str | None
    text: str | None
    has_html: bool
    is_secret: bool
    status: MessageStatus
    attempts: int
    transport: str | None
    error: str | None
    next_attempt_at: datetime | None
    expires_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class TextPreview:
    """A text filled in with sample values."""

    subject: str | None
    text: str


@dataclass(frozen=True, slots=True)
class TemplateText:
    """The current text of a template for one channel and language; ``is_own`` is whether it is the store's own."""

    channel: Channel
    language: str
    subject: str | None
    text: str
    is_own: bool
    preview: TextPreview


@dataclass(frozen=True, slots=True)
class TemplateField:
    """A field of a template; a text must use it if ``is_required``."""

    name: str
    sample: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class EditableTemplate:
    """A message template with all current texts."""

    name: str
    about: str
    channels: Sequence[Channel]
    fields: Sequence[TemplateField]
    texts: Sequence[TemplateText]


@dataclass(frozen=True, slots=True)
class GuestMessages:
    """Messages to guests about their orders, each sent by the first of ``channels`` that reaches the guest.

    ``reply_to`` is the address for answers to the store's e-mails.
    """

    messages: Sequence[OrderMessage]
    channels: Sequence[Channel]
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """A message to a guest or a member of staff.

    ``to`` is null for push messages, ``text`` for secret ones such as codes. ``error`` is why the last attempt failed.
    ``delivery`` is what the service reported after it had taken an SMS; not every service does.
    """

    id: int
    purpose: str
    channel: Channel
    address: Annotated[str | None, Field(serialization_alias="to")]
    subject: str | None
    text: str | None
    is_secret: bool
    status: MessageStatus
    attempts: int
    error: str | None
    next_attempt_at: datetime | None
    created_at: datetime
    finished_at: datetime | None
    delivery: SmsDelivery | None
    delivery_error: str | None


@dataclass(frozen=True, slots=True)
class SmsLimits:
    """Limits of an owner's SMS, and the numbers of the month that began on ``month``, by UTC.

    ``limit`` is the lower of your ``monthly_limit`` and the installation's; null is no limit. ``withheld`` were not
    sent because of it. Texts that can wait are held between ``quiet_from`` and ``quiet_until`` of the store.
    """

    monthly_limit: int | None
    quiet_from: TimeOfDay | None
    quiet_until: TimeOfDay | None
    month: date
    sent: int
    withheld: int
    limit: int | None
    is_reached: bool


@dataclass(frozen=True, slots=True)
class ChannelState:
    """A channel of messages. Without a ``transport`` the operator has set none up, and its messages are not sent."""

    channel: Channel
    is_ready: bool
    transport: str | None
