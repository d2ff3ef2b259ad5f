"""Messages: creation in the transaction of their cause, deletion, and the list for developers."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import orjson
from comanda.basics import RateLimited, Sentence, ValidationFailed, clock
from comanda.contracts import CHANNELS, OutgoingMessage
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_notifications import settings
from comanda_notifications.models import MessageStatus
from comanda_notifications.records import OutboxMessage
from comanda_notifications.services.validation import normalize_message

HOUR: Final = timedelta(hours=1)
MAX_PURPOSE_LENGTH: Final = 100
MAX_ONCE_LENGTH: Final = 200
DEFAULT_LIST_LIMIT: Final = 100

# Counting stops at the limit, so the cost does not grow with the number of messages.
COUNT_RECENT_MESSAGES = """
    SELECT (SELECT count(*) FROM (SELECT 1 FROM notifications_message
                WHERE owner_id = $1 AND channel = $2 AND left(address, 320) = left($3, 320) AND address = $3
                    AND created_at > $4 LIMIT $5) AS a) AS to_address,
           (SELECT count(*) FROM (SELECT 1 FROM notifications_message
                WHERE owner_id = $1 AND created_at > $4 LIMIT $6) AS o) AS of_owner
"""
INSERT_MESSAGE = """
    INSERT INTO notifications_message (owner_id, store_id, number, purpose, once_key, channel, address, subject, text,
        html, platform, data, is_secret, expires_at, created_at, next_attempt_at, status, error, finished_at,
        sender_name, reply_to)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
        CASE WHEN $16::timestamptz IS NULL THEN $15::timestamptz END,
        coalesce($19, s.title, w.brand_name),
        coalesce($20, CASE WHEN s.id IS NULL THEN w.brand_email ELSE m.reply_to END)
    FROM (SELECT) AS given
    LEFT JOIN core_owner_v1 w ON w.id = $1 AND $6 = 'email'
    LEFT JOIN core_store_v1 s ON s.id = $2 AND s.owner_id = w.id
    LEFT JOIN notifications_order_messages m ON m.store_id = s.id AND m.owner_id = s.owner_id
    ON CONFLICT (owner_id, once_key) WHERE once_key IS NOT NULL DO NOTHING RETURNING id
"""
SELECT_MESSAGE_ID_BY_ONCE_KEY = "SELECT id FROM notifications_message WHERE owner_id = $1 AND once_key = $2"
SELECT_LATEST_MESSAGES = """
    SELECT id, owner_id, store_id, purpose, channel, address, subject, text, html IS NOT NULL AS has_html, is_secret,
        status, attempts, transport, error, next_attempt_at, expires_at, created_at, finished_at
    FROM notifications_message WHERE $1::text IS NULL OR strpos(lower(address), lower($1)) > 0
    ORDER BY created_at DESC, id DESC LIMIT $2
"""

# The index is on the first 320 characters of addresses.
DELETE_MESSAGES = """
    DELETE FROM notifications_message
    WHERE owner_id = $1 AND channel = ANY($3::text[]) AND left(address, 320) = ANY($2::text[]) AND purpose = $4
"""


def get_queue_name(channel: str) -> str:
    """Return the name of the queue that the senders of a channel are woken by."""
    return f"notifications_{channel}"


# One function per channel, since registering the same one twice in a transaction calls it once.
NOTIFY_BY_CHANNEL = {channel: partial(notifier.notify, get_queue_name(channel)) for channel in CHANNELS}


async def create_message(
    message: OutgoingMessage,
    *,
    owner_id: int,
    store_id: int | None,
    purpose: str,
    is_secret: bool,
    once_key: str | None,
    expires_at: datetime | None,
    due_at: datetime | None = None,
    refusal: str | None = None,
) -> int:
    """Create a message in the open transaction, wake its sender after the commit and return its id.

    It is sent from ``due_at`` on; with a ``refusal`` it is stored as over the owner's limit, and never sent.
    A ``once_key`` that the owner has used returns the earlier message, which does not count against the limits.
    Raises ``ValidationFailed`` and ``RateLimited``.
    """
    message = normalize_message(message)
    _check_lengths(purpose, once_key)
    if once_key and (earlier := await get_id_by_once_key(owner_id, once_key)):
        return earlier
    moment = clock.now()
    await _check_rate_limits(owner_id, message, moment)
    number = f"msg_{secrets.token_hex(16)}"
    data = None if message.data is None else orjson.dumps(message.data).decode()
    content = (message.channel, message.to, message.subject, message.text, message.html, message.platform, data)
    status = MessageStatus.PENDING if refusal is None else MessageStatus.OVER_LIMIT
    next_attempt_at = (due_at or moment) if refusal is None else None
    state = (moment, next_attempt_at, status.value, refusal)
    sender = (message.sender.name, message.sender.reply_to)
    message_id: int | None = await sql.fetch_value(
        INSERT_MESSAGE, owner_id, store_id, number, purpose, once_key, *content, is_secret, expires_at, *state, *sender
    )
    if message_id is None:
        # A concurrent transaction created the same message, and the insert waited for it.
        return int((await sql.one(SELECT_MESSAGE_ID_BY_ONCE_KEY, owner_id, once_key))["id"])
    if refusal is None:
        sql.after_commit(NOTIFY_BY_CHANNEL[message.channel])
    return message_id


async def get_id_by_once_key(owner_id: int, once_key: str) -> int | None:
    """Return the id of the message that an owner has stored with a once key, or None."""
    found: int | None = await sql.fetch_value(SELECT_MESSAGE_ID_BY_ONCE_KEY, owner_id, once_key)
    return found


async def list_latest_messages(address: str | None = None, limit: int = DEFAULT_LIST_LIMIT) -> list[OutboxMessage]:
    """List the latest messages of all owners whose address contains ``address``, newest first, for developers."""
    address_filter = None if address is None else address.replace("\0", "").strip() or None
    rows = await sql.fetch(SELECT_LATEST_MESSAGES, address_filter, limit)
    return [OutboxMessage(**{**dict(row), "status": MessageStatus(row["status"])}) for row in rows]


async def delete_messages(addresses: Collection[str], *, owner_id: int, purpose: str) -> None:
    """Delete an owner's messages of one purpose to these addresses, with their attempts."""
    await sql.execute(DELETE_MESSAGES, owner_id, [address[:320] for address in addresses], list(CHANNELS), purpose)


def _check_lengths(purpose: str, once_key: str | None) -> None:
    if not 0 < len(purpose) <= MAX_PURPOSE_LENGTH:
        raise ValidationFailed(purpose=[Sentence("Must have 1 to %(limit)s characters.", limit=MAX_PURPOSE_LENGTH)])
    if once_key is not None and not 0 < len(once_key) <= MAX_ONCE_LENGTH:
        raise ValidationFailed(once=[Sentence("Must have 1 to %(limit)s characters.", limit=MAX_ONCE_LENGTH)])


async def _check_rate_limits(owner_id: int, message: OutgoingMessage, moment: datetime) -> None:
    """Raise ``RateLimited`` beyond the hourly limits; concurrently created messages are not counted."""
    limits = settings.get_settings()
    per_address, per_owner = limits.max_per_address_per_hour, limits.max_per_owner_per_hour
    row = await sql.one(
        COUNT_RECENT_MESSAGES, owner_id, message.channel, message.to, moment - HOUR, per_address, per_owner
    )
    if row["to_address"] >= per_address or row["of_owner"] >= per_owner:
        raise RateLimited(int(HOUR.total_seconds()))
