"""Devices that take push messages: registered with an access token, silent once that is void."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Final

import structlog
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.messaging import MessageText, OutgoingMessage
from comanda.db import sql
from comanda.errors import Forbidden, RateLimited, ValidationFailed

from comanda_notifications import services
from comanda_notifications.checking import push_token
from comanda_notifications.models import Device

log = structlog.get_logger(__name__)

PLATFORMS: Final = ("ios", "android", "web")
# More devices than one person has; whoever registers another loses the one that was registered longest ago.
MAX_DEVICES: Final = 20

# An app keeps its push token when somebody else logs in on the device, and then the messages are theirs.
REGISTER = """
    INSERT INTO notifications_device (owner_id, kind, subject_id, token_id, platform, token, token_hash, app_version,
        locale, created_at, registered_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    ON CONFLICT (owner_id, token_hash) DO UPDATE SET kind = EXCLUDED.kind, subject_id = EXCLUDED.subject_id,
        token_id = EXCLUDED.token_id, platform = EXCLUDED.platform, app_version = EXCLUDED.app_version,
        locale = EXCLUDED.locale, registered_at = EXCLUDED.registered_at
"""
TRIM = """
    DELETE FROM notifications_device WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM notifications_device WHERE owner_id = $1 AND kind = $2 AND subject_id = $3
        ORDER BY registered_at DESC, id DESC OFFSET $4)
"""
LISTENING = """
    SELECT d.id, d.token, d.platform, d.locale FROM notifications_device d
    JOIN core_access_token t ON t.id = d.token_id AND t.owner_id = d.owner_id
    WHERE d.owner_id = $1 AND d.kind = $2 AND d.subject_id = ANY($3::bigint[]) AND t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > $4) ORDER BY d.id
"""
PRUNE = """
    DELETE FROM notifications_device WHERE (id, owner_id) IN (
        SELECT d.id, d.owner_id FROM notifications_device d
        LEFT JOIN core_access_token t ON t.id = d.token_id AND t.owner_id = d.owner_id
        WHERE t.id IS NULL OR t.revoked_at IS NOT NULL OR t.expires_at <= $1 LIMIT $2)
"""


async def register(
    caller: Caller, platform: str, token: str, app_version: str | None = None, locale: str | None = None
) -> None:
    """Let a device hear what its caller is told from now on.

    Registering one again renews it. Raises ``ValidationFailed``; ``Forbidden`` for a caller without a subject.
    """
    if platform not in PLATFORMS:
        raise ValidationFailed(platform=[f"Must be one of: {', '.join(PLATFORMS)}."])
    known = push_token(token)
    if known is None:
        raise ValidationFailed(token=["This is no push token."])
    who = (caller.owner_id, caller.kind, _subject(caller))
    async with sql.transaction():
        await sql.execute(
            REGISTER, *who, caller.token_id, platform, known, _digest(known), app_version, locale, clock.now()
        )
        await sql.execute(TRIM, *who, MAX_DEVICES)


@sql.transaction()
async def unregister(caller: Caller, token: str) -> None:
    """Let a device of the caller's hear nothing any more; one that is not theirs, or not there, stays as it is."""
    await Device.filter(
        owner_id=caller.owner_id, kind=caller.kind, subject_id=_subject(caller), token_hash=_digest(token.strip())
    ).delete()


async def forget(owner_id: int, kind: str, subject_id: int) -> None:
    """Delete all devices of somebody, in the open transaction."""
    await Device.filter(owner_id=owner_id, kind=kind, subject_id=subject_id).delete()


async def gone(owner_id: int, token: str) -> None:
    """Delete a device that its push service knows no more."""
    await Device.filter(owner_id=owner_id, token_hash=_digest(token)).delete()


async def push(
    owner_id: int,
    kind: str,
    subject_ids: Collection[int],
    word: Callable[[str | None], MessageText],
    data: Mapping[str, Any] | None,
    *,
    store_id: int | None,
    purpose: str,
    once: str | None,
    expires_at: datetime | None,
) -> int:
    """Store one message for each device that listens, and return how many that are. Raises ``ValidationFailed``.

    ``word`` makes the text for a device's locale.
    """
    stored = 0
    for device in await sql.fetch(LISTENING, owner_id, kind, list(subject_ids), clock.now()):
        said = word(device["locale"])
        message = OutgoingMessage(
            "push", device["token"], said.text, said.subject, platform=device["platform"], data=data
        )
        try:
            await services.store(
                message,
                owner_id=owner_id,
                store_id=store_id,
                purpose=purpose,
                is_secret=False,
                once_key=once and f"{once}:{device['id']}",
                expires_at=expires_at,
            )
        except RateLimited:
            # A device that hears this much misses little, and whatever caused the message must not fail over it.
            log.warning("push_left_out", owner_id=owner_id, device_id=device["id"], purpose=purpose)
            continue
        stored += 1
    return stored


async def prune(limit: int) -> None:
    """Delete devices that nobody is logged in on any more."""
    while await sql.execute(PRUNE, clock.now(), limit) == limit:
        pass


def _subject(caller: Caller) -> int:
    if caller.subject_id is None:
        raise Forbidden
    return caller.subject_id


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
