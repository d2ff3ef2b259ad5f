"""Stores messages with their cause, and shows a developer what was stored."""

import secrets
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import orjson
from comanda import clock
from comanda.contracts.messaging import CHANNELS, OutgoingMessage
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda.tasks import notifier

from comanda_notifications import settings
from comanda_notifications.checking import checked

HOUR: Final = timedelta(hours=1)
PURPOSE_LENGTH: Final = 100
ONCE_LENGTH: Final = 200
SHOWN: Final = 100

# Counting stops at the limit, so that an owner with many messages pays no more than one with enough.
EARLIER = """
    SELECT (SELECT count(*) FROM (SELECT 1 FROM notifications_message
                WHERE owner_id = $1 AND channel = $2 AND left(address, 320) = left($3, 320) AND address = $3
                    AND created_at > $4 LIMIT $5) AS a) AS to_address,
           (SELECT count(*) FROM (SELECT 1 FROM notifications_message
                WHERE owner_id = $1 AND created_at > $4 LIMIT $6) AS o) AS of_owner
"""
INSERT = """
    INSERT INTO notifications_message (owner_id, store_id, number, purpose, once_key, channel, address, subject, text,
        html, platform, data, is_secret, expires_at, created_at, next_attempt_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
    ON CONFLICT (owner_id, once_key) WHERE once_key IS NOT NULL DO NOTHING RETURNING id
"""
STORED = "SELECT id FROM notifications_message WHERE owner_id = $1 AND once_key = $2"
SHOW = """
    SELECT id, owner_id, store_id, purpose, channel, address, subject, text, html IS NOT NULL AS has_html, is_secret,
        status, attempts, transport, error, next_attempt_at, expires_at, created_at, finished_at
    FROM notifications_message WHERE $1::text IS NULL OR strpos(lower(address), lower($1)) > 0
    ORDER BY created_at DESC, id DESC LIMIT $2
"""


def bell(channel: str) -> str:
    """Name the bell that wakes the senders of a channel."""
    return f"notifications_{channel}"


# One function for each, since the same one asked for twice in a transaction rings once.
RINGS = {channel: partial(notifier.notify, bell(channel)) for channel in CHANNELS}


async def store(
    message: OutgoingMessage,
    *,
    owner_id: int,
    store_id: int | None,
    purpose: str,
    is_secret: bool,
    once_key: str | None,
    expires_at: datetime | None,
) -> int:
    """Store a message in the open transaction and wake its sender after the commit; return its id.

    One with a ``once_key`` that the owner has used is not stored again, and counts against no limit.
    Raises ``ValidationFailed`` and ``RateLimited``.
    """
    message = checked(message)
    _check_names(purpose, once_key)
    if once_key and (earlier := await _stored(owner_id, once_key)):
        return earlier
    moment = clock.now()
    await _slow_down(owner_id, message, moment)
    number = f"msg_{secrets.token_hex(16)}"
    data = None if message.data is None else orjson.dumps(message.data).decode()
    what = (message.channel, message.to, message.subject, message.text, message.html, message.platform, data)
    made: int | None = await sql.fetch_value(
        INSERT, owner_id, store_id, number, purpose, once_key, *what, is_secret, expires_at, moment
    )
    if made is None:
        # Another transaction has stored the same meanwhile, and the insert has waited for it.
        made = await _stored(owner_id, once_key or "")
        assert made is not None  # noqa: S101 - messages are deleted a month after they are finished
        return made
    sql.after_commit(RINGS[message.channel])
    return made


async def shown(address: str | None = None, limit: int = SHOWN) -> list[dict[str, Any]]:
    """List the latest messages of all owners, newest first, whose address contains ``address``: for a developer."""
    wanted = None if address is None else address.replace("\0", "").strip() or None
    return [dict(row) for row in await sql.fetch(SHOW, wanted, limit)]


async def _stored(owner_id: int, once_key: str) -> int | None:
    found: int | None = await sql.fetch_value(STORED, owner_id, once_key)
    return found


def _check_names(purpose: str, once_key: str | None) -> None:
    if not 0 < len(purpose) <= PURPOSE_LENGTH:
        raise ValidationFailed(purpose=[f"Must have 1 to {PURPOSE_LENGTH} characters."])
    if once_key is not None and not 0 < len(once_key) <= ONCE_LENGTH:
        raise ValidationFailed(once=[f"Must have 1 to {ONCE_LENGTH} characters."])


async def _slow_down(owner_id: int, message: OutgoingMessage, moment: datetime) -> None:
    """Refuse what would flood a person or run up a bill. Messages stored at this same moment are not counted."""
    limits = settings.current()
    per_address, per_owner = limits.max_per_address_per_hour, limits.max_per_owner_per_hour
    row = await sql.fetch_one(EARLIER, owner_id, message.channel, message.to, moment - HOUR, per_address, per_owner)
    assert row is not None  # noqa: S101 - it selects two numbers
    if row["to_address"] >= per_address or row["of_owner"] >= per_owner:
        raise RateLimited(int(HOUR.total_seconds()))
