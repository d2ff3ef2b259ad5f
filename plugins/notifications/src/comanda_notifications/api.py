"""Messages for other plugins: stored in the transaction of their cause, and sent in the background.

Push messages go to registered devices. A plugin with a login offers two routes, with the bodies ``DeviceBody`` and
``DeviceTokenBody``, that call ``register_device`` and ``unregister_device``.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from comanda.contracts import Caller, Channel, MessageText, OutgoingMessage, RecipientGone, Sender, Undeliverable
from comanda.orders import Order

from comanda_notifications.models import SmsDelivery, Urgency
from comanda_notifications.records import DeviceRegistration
from comanda_notifications.schemas import DeviceBody, DeviceTokenBody
from comanda_notifications.services import (
    delivery_reports,
    devices,
    messages,
    order_devices,
    sms_messages,
    template_texts,
)
from comanda_notifications.services.order_devices import has_news_to_come

__all__ = [
    "Channel",
    "DeviceBody",
    "DeviceRegistration",
    "DeviceTokenBody",
    "OutgoingMessage",
    "RecipientGone",
    "Undeliverable",
    "Urgency",
    "delete_devices",
    "delete_messages",
    "has_news_to_come",
    "push",
    "push_template",
    "record_sms_reply",
    "record_sms_report",
    "register_device",
    "register_order_device",
    "send",
    "send_template",
    "unregister_device",
    "unregister_order_device",
]


CODE_FIELD: Final = "code"


async def send(
    message: OutgoingMessage,
    *,
    owner_id: int,
    store_id: int | None = None,
    purpose: str,
    secret: bool = False,
    once: str | None = None,
    expires_at: datetime | None = None,
    urgency: Urgency = Urgency.LATER,
) -> int:
    """Store a message in the open transaction, to be sent after the commit, and return its id.

    ``purpose`` is what the message is for, such as ``customers.code``. The text of a ``secret`` message, such as a
    code, is erased once it was sent or given up; in development the outbox keeps it. Of several messages of an owner
    with the same ``once``, only the first is stored and its id returned. After ``expires_at`` the message is given up.
    An SMS beyond the owner's monthly limit is stored and not sent; one whose ``urgency`` is ``LATER`` waits for the end
    of the store's quiet hours. Raises ``ValidationFailed`` for an invalid address or text, by the fields ``to``,
    ``text``, ``subject``, ``html``; ``RateLimited`` beyond the hourly limit of the address or the owner, and for a code
    beyond the limit of codes.
    """
    if message.channel == "sms":
        create: Callable[..., Awaitable[int]] = partial(sms_messages.create_sms, message, urgency)
    else:
        create = partial(messages.create_message, message)
    return await create(
        owner_id=owner_id, store_id=store_id, purpose=purpose, is_secret=secret, once_key=once, expires_at=expires_at
    )


async def send_template(
    name: str,
    *,
    to: str,
    channel: Channel,
    values: Mapping[str, object],
    language: str | None = None,
    owner_id: int,
    store_id: int | None = None,
    purpose: str | None = None,
    secret: bool = False,
    once: str | None = None,
    expires_at: datetime | None = None,
    urgency: Urgency | None = None,
    sender: Sender | None = None,
) -> int:
    """Store a message from a template in the open transaction, like ``send``, and return its id.

    ``values`` are by field. ``language`` is a tag or the value of ``Accept-Language``; without it, or without a text in
    it, the language of the store's country is used, then English. A store's own text comes before the template's.
    ``purpose`` defaults to the template's name, and ``urgency`` to ``CODE`` for a template that requires a code. An
    e-mail is from the ``sender``, else from the store, by its name and its address for answers. Raises ``LookupError``
    for an unknown template or channel or a missing value, and the errors of ``send``.
    """
    texts = await template_texts.load_texts(name, channel, owner_id, store_id)
    text = texts.render(values, language)
    subject = None if channel == "sms" else text.subject
    message = OutgoingMessage(channel, to, text.text, subject, sender=sender or Sender())
    return await send(
        message,
        owner_id=owner_id,
        store_id=store_id,
        purpose=purpose or name,
        secret=secret,
        once=once,
        expires_at=expires_at,
        urgency=urgency or (Urgency.CODE if CODE_FIELD in texts.template.required else Urgency.LATER),
    )


async def delete_messages(addresses: Collection[str], *, owner_id: int, purpose: str) -> None:
    """Delete an owner's messages of one purpose to these addresses, pending or sent, in the open transaction.

    The messages to a person who is erased are deleted automatically.
    """
    await messages.delete_messages(addresses, owner_id=owner_id, purpose=purpose)


async def register_device(
    caller: Caller, platform: str, token: str, app_version: str | None = None, locale: str | None = None
) -> DeviceRegistration:
    """Register a device for the caller's push messages, until the access token of this request is revoked or expires.

    ``platform`` is ``ios``, ``android`` or ``web``. Registering a device again renews it, and moves it to the caller if
    it was another person's. Raises ``ValidationFailed`` on ``platform`` or ``token``; ``Forbidden`` for a caller
    that is no person, such as a storefront.
    """
    await devices.register_device(caller, platform, token, app_version, locale)
    return DeviceRegistration(registered=True)


async def unregister_device(caller: Caller, token: str) -> DeviceRegistration:
    """Unregister a device of the caller; an unknown one is ignored."""
    await devices.unregister_device(caller, token)
    return DeviceRegistration(registered=False)


async def register_order_device(order: Order, token: str, locale: str | None = None) -> DeviceRegistration:
    """Register the browser of whoever has an order's page for push messages about it, in the language of the page.

    The order is what its track token leads to. Registering again renews it; an order has at most 5 browsers, and they
    are deleted once it has ended. Raises ``ValidationFailed`` on ``token``, and ``Conflict`` if nothing is to come.
    """
    await order_devices.register_device(order, token, locale)
    return DeviceRegistration(registered=True)


async def unregister_order_device(order: Order, token: str) -> DeviceRegistration:
    """Unregister a browser from the push messages about an order; an unknown one is ignored."""
    await order_devices.unregister_device(order, token)
    return DeviceRegistration(registered=False)


async def record_sms_report(owner_id: int, message_id: str, *, is_delivered: bool, error: str | None = None) -> None:
    """Record what a service reports on an owner's SMS that it has taken; only the first report counts.

    ``message_id`` is ``OutgoingMessage.id``.
    """
    delivery = SmsDelivery.DELIVERED if is_delivered else SmsDelivery.FAILED
    await delivery_reports.record_report(message_id, delivery, error, owner_id=owner_id)


async def record_sms_reply(owner_id: int, phone: str, text: str, reply_id: str) -> None:
    """Record what a guest answered to an owner's number: a word such as STOP ends the owner's SMS to the guest.

    ``reply_id`` is the service's, at most 200 characters; a reply that comes again has no effect.
    """
    await delivery_reports.record_reply(phone, text, reply_id, owner_id=owner_id)


async def delete_devices(owner_id: int, kind: str, subject_id: int) -> None:
    """Delete all devices of a person who may no longer log in, in the open transaction."""
    await devices.delete_devices(owner_id, kind, subject_id)


async def push(
    owner_id: int,
    kind: str,
    subject_ids: Collection[int],
    title: str,
    text: str,
    data: Mapping[str, Any] | None = None,
    *,
    store_id: int | None = None,
    purpose: str = "push",
    once: str | None = None,
    expires_at: datetime | None = None,
) -> int:
    """Store one push message for each device of these people in the open transaction, and return their number.

    ``kind`` is the caller kind of their access tokens, and an owner's subject id is the owner's; devices without a
    valid token are skipped. ``data`` is JSON for
    the app. Of several calls with the same ``once``, each device receives one message. Devices beyond their hourly
    limit are skipped: unlike ``send``, this never raises ``RateLimited``. Raises ``ValidationFailed`` for an invalid
    text.
    """
    content = MessageText(text, title)
    return await devices.create_push_messages(
        owner_id, kind, subject_ids, lambda _: content, data,
        store_id=store_id, purpose=purpose, once=once, expires_at=expires_at,
    )  # fmt: skip


async def push_template(
    name: str,
    kind: str,
    subject_ids: Collection[int],
    data: Mapping[str, Any] | None = None,
    *,
    values: Mapping[str, object],
    language: str | None = None,
    owner_id: int,
    store_id: int | None = None,
    once: str | None = None,
    expires_at: datetime | None = None,
) -> int:
    """Store a push message from a template for each device of these people, like ``push``, and return their number.

    Each message is in ``language``, or else in the device's own; everything else is as in ``send_template``.
    """
    words = await template_texts.load_texts(name, "push", owner_id, store_id)
    return await devices.create_push_messages(
        owner_id, kind, subject_ids, lambda locale: words.render(values, language or locale), data,
        store_id=store_id, purpose=name, once=once, expires_at=expires_at,
    )  # fmt: skip
