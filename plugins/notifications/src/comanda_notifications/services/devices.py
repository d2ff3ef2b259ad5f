"""Push devices, registered with an access token and inactive once that token is revoked or expired."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import structlog
from comanda.accounts import tokens
from comanda.basics import Forbidden, RateLimited, ValidationFailed, clock
from comanda.contracts import Caller, MessageText, OutgoingMessage
from comanda.platform.db import sql

from comanda_notifications.models import OrderDevice, PushDevice
from comanda_notifications.services import messages
from comanda_notifications.services.validation import parse_push_token

log = structlog.get_logger(__name__)

# The caller kind of customers, who belong to the plugin customers.
CUSTOMER_KIND: Final = "customer"
OWNER_KIND: Final = "owner"
PLATFORMS: Final = ("ios", "android", "web")
# Beyond this limit, registering a device deletes the one registered longest ago.
MAX_DEVICES: Final = 20

# An app keeps its push token when another person logs in on the device, who then receives the messages.
UPSERT_DEVICE = """
    INSERT INTO notifications_device (owner_id, kind, subject_id, token_id, platform, token, token_hash, app_version,
        locale, created_at, registered_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    ON CONFLICT (owner_id, token_hash) DO UPDATE SET kind = EXCLUDED.kind, subject_id = EXCLUDED.subject_id,
        token_id = EXCLUDED.token_id, platform = EXCLUDED.platform, app_version = EXCLUDED.app_version,
        locale = EXCLUDED.locale, registered_at = EXCLUDED.registered_at
"""
DELETE_SURPLUS_DEVICES = """
    DELETE FROM notifications_device WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM notifications_device WHERE owner_id = $1 AND kind = $2 AND subject_id = $3
        ORDER BY registered_at DESC, id DESC OFFSET $4)
"""
SELECT_ACTIVE_DEVICES = """
    SELECT d.id, d.token, d.platform, d.locale FROM notifications_device d
    JOIN core_access_token_v1 t ON t.id = d.token_id AND t.owner_id = d.owner_id
    WHERE d.owner_id = $1 AND d.kind = $2 AND d.subject_id = ANY($3::bigint[]) AND t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > $4) ORDER BY d.id
"""
DELETE_INACTIVE_DEVICES = """
    DELETE FROM notifications_device WHERE (id, owner_id) IN (
        SELECT d.id, d.owner_id FROM notifications_device d
        LEFT JOIN core_access_token_v1 t ON t.id = d.token_id AND t.owner_id = d.owner_id
        WHERE t.id IS NULL OR t.revoked_at IS NOT NULL OR t.expires_at <= $1 LIMIT $2)
"""


async def register_device(
    caller: Caller, platform: str, token: str, app_version: str | None = None, locale: str | None = None
) -> None:
    """Register a device for the caller's push messages.

    Registering a device again renews it. Raises ``ValidationFailed``; ``Forbidden`` for a caller without a subject.
    """
    if platform not in PLATFORMS:
        raise ValidationFailed(platform=[f"Must be one of: {', '.join(PLATFORMS)}."])
    push_token = parse_push_token(token)
    if push_token is None:
        raise ValidationFailed(token=["Must be a push token."])
    subject = (caller.owner_id, caller.kind, _get_subject_id(caller))
    async with sql.transaction():
        await sql.execute(
            UPSERT_DEVICE,
            *subject,
            caller.token_id,
            platform,
            push_token,
            tokens.hash_token(push_token),
            app_version,
            locale,
            clock.now(),
        )
        await sql.execute(DELETE_SURPLUS_DEVICES, *subject, MAX_DEVICES)


@sql.transaction()
async def unregister_device(caller: Caller, token: str) -> None:
    """Delete a device of the caller; one that is not theirs or not registered is ignored."""
    await PushDevice.filter(
        owner_id=caller.owner_id,
        kind=caller.kind,
        subject_id=_get_subject_id(caller),
        token_hash=tokens.hash_token(token.strip()),
    ).delete()


async def delete_devices(owner_id: int, kind: str, subject_id: int) -> None:
    """Delete all devices of a person, in the open transaction."""
    await PushDevice.filter(owner_id=owner_id, kind=kind, subject_id=subject_id).delete()


async def delete_device_by_token(owner_id: int, token: str) -> None:
    """Delete a device whose push token is no longer valid, also as the browser of an order."""
    for model in (PushDevice, OrderDevice):
        await model.filter(owner_id=owner_id, token_hash=tokens.hash_token(token)).delete()


async def create_push_messages(
    owner_id: int,
    kind: str,
    subject_ids: Collection[int],
    get_text: Callable[[str | None], MessageText],
    data: Mapping[str, Any] | None,
    *,
    store_id: int | None,
    purpose: str,
    once: str | None,
    expires_at: datetime | None,
) -> int:
    """Create one message per active device and return their number. Raises ``ValidationFailed``.

    ``get_text`` returns the text for a device's locale.
    """
    found = await sql.fetch(SELECT_ACTIVE_DEVICES, owner_id, kind, list(subject_ids), clock.now())
    return await create_messages_to(
        found, get_text, data,
        owner_id=owner_id, store_id=store_id, purpose=purpose, is_secret=False, once=once, expires_at=expires_at,
    )  # fmt: skip


async def create_messages_to(
    found: Sequence[sql.Row],
    get_text: Callable[[str | None], MessageText],
    data: Mapping[str, Any] | None,
    *,
    owner_id: int,
    store_id: int | None,
    purpose: str,
    is_secret: bool,
    once: str | None,
    expires_at: datetime | None,
) -> int:
    """Create one message for each of these rows of devices and return their number. Raises ``ValidationFailed``."""
    stored = 0
    for device in found:
        text = get_text(device["locale"])
        message = OutgoingMessage(
            "push", device["token"], text.text, text.subject, platform=device["platform"], data=data
        )
        try:
            await messages.create_message(
                message,
                owner_id=owner_id,
                store_id=store_id,
                purpose=purpose,
                is_secret=is_secret,
                once_key=once and f"{once}:{device['id']}",
                expires_at=expires_at,
            )
        except RateLimited:
            # The cause of the message must not fail because a device has reached its limit.
            log.warning("push_rate_limited", owner_id=owner_id, device_id=device["id"], purpose=purpose)
            continue
        stored += 1
    return stored


async def delete_inactive_devices(limit: int) -> None:
    """Delete devices without a valid access token."""
    while await sql.execute(DELETE_INACTIVE_DEVICES, clock.now(), limit) == limit:
        pass


def _get_subject_id(caller: Caller) -> int:
    # An owner's token has no subject: the owner is the person.
    subject_id = caller.owner_id if caller.kind == OWNER_KIND else caller.subject_id
    if subject_id is None:
        raise Forbidden
    return subject_id
