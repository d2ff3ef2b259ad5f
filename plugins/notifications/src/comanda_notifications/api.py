"""What other plugins may call: a message is stored with what causes it, and sent in the background.

Push messages go to devices. Whoever logs people in offers them two routes, whose bodies are ``DeviceBody`` and
``DeviceTokenBody``, which call ``register_device`` and ``unregister_device``.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.messaging import Channel, MessageText, OutgoingMessage, RecipientGone, Undeliverable

from comanda_notifications import devices, erasing, services, wording
from comanda_notifications.schemas import DeviceBody, DeviceTokenBody, Registered

__all__ = [
    "Channel",
    "DeviceBody",
    "DeviceTokenBody",
    "RecipientGone",
    "OutgoingMessage",
    "Registered",
    "Undeliverable",
    "forget",
    "forget_devices",
    "push",
    "push_template",
    "register_device",
    "send",
    "send_template",
    "unregister_device",
]


async def send(
    message: OutgoingMessage,
    *,
    owner_id: int,
    store_id: int | None = None,
    purpose: str,
    secret: bool = False,
    once: str | None = None,
    expires_at: datetime | None = None,
) -> int:
    """Store a message in the open transaction, to be sent once that has committed; return its id.

    ``purpose`` names what it is for, such as ``customers.code``. The text of a ``secret`` message, such as a code, is
    erased when it was sent or given up; in development the outbox keeps it. Of several messages with one ``once`` of
    one owner the first alone is stored, and its id returned. After ``expires_at`` the message is given up.
    Raises ``ValidationFailed`` for an address or a text that no message can have, by the fields ``to``, ``text``,
    ``subject``, ``html``; ``RateLimited`` where an address, or an owner's messages together, have had enough.
    """
    return await services.store(
        message,
        owner_id=owner_id,
        store_id=store_id,
        purpose=purpose,
        is_secret=secret,
        once_key=once,
        expires_at=expires_at,
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
) -> int:
    """Word a message by a template and store it like ``send``, in the open transaction; return its id.

    ``values`` are by field. ``language`` is what the person reads: a tag, or the value of ``Accept-Language``; without
    it, or where there is no such text, the store's country decides, and then it is English. The store's own words go
    before the template's. ``purpose`` is the template's name if left out. Raises ``LookupError`` for a template, a
    channel of it or a value that there is not; else what ``send`` raises.
    """
    said = (await wording.load(name, channel, owner_id, store_id)).text(values, language)
    message = OutgoingMessage(channel, to, said.text, None if channel == "sms" else said.subject)
    return await send(
        message,
        owner_id=owner_id,
        store_id=store_id,
        purpose=purpose or name,
        secret=secret,
        once=once,
        expires_at=expires_at,
    )


async def forget(addresses: Collection[str], *, owner_id: int, purpose: str) -> None:
    """Delete an owner's messages of one purpose to these addresses in the open transaction, those waiting too.

    Of somebody who is erased every message goes by itself.
    """
    await erasing.forget(addresses, owner_id=owner_id, purpose=purpose)


async def register_device(
    caller: Caller, platform: str, token: str, app_version: str | None = None, locale: str | None = None
) -> dict[str, Any]:
    """Let the device with this push token hear what the caller is told, until the access token that was used is void.

    ``platform`` is ``ios``, ``android`` or ``web``. Registering a device again renews it, and one that was somebody
    else's is the caller's now. Raises ``ValidationFailed`` on ``platform`` or ``token``; ``Forbidden`` for a caller
    without a subject, such as an owner.
    """
    await devices.register(caller, platform, token, app_version, locale)
    return {"registered": True}


async def unregister_device(caller: Caller, token: str) -> dict[str, Any]:
    """Let a device of the caller's hear nothing any more. One that is not there changes nothing."""
    await devices.unregister(caller, token)
    return {"registered": False}


async def forget_devices(owner_id: int, kind: str, subject_id: int) -> None:
    """Delete all devices of somebody who may not log in any more, in the open transaction."""
    await devices.forget(owner_id, kind, subject_id)


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
    """Store one push message for each device of these people, in the open transaction; return for how many.

    ``kind`` is that of their access tokens; a device whose token is void hears nothing. ``data`` is JSON for the app.
    Of several calls with one ``once`` each device hears one. A device that had enough this hour is left out: unlike
    ``send`` this never raises ``RateLimited``. Raises ``ValidationFailed`` for a text that no message can have.
    """
    said = MessageText(text, title)
    return await devices.push(
        owner_id, kind, subject_ids, lambda _: said, data,
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
    """Word a push message by a template for each device of these people, and store it like ``push``.

    Each is in ``language``, else in the device's own; the rest is as in ``send_template``.
    """
    words = await wording.load(name, "push", owner_id, store_id)
    return await devices.push(
        owner_id, kind, subject_ids, lambda locale: words.text(values, language or locale), data,
        store_id=store_id, purpose=name, once=once, expires_at=expires_at,
    )  # fmt: skip
