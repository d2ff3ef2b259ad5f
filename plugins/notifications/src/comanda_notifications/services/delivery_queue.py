"""The queue of due messages: senders claim messages under a lease and record their attempts while they hold it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import orjson
from comanda import clock
from comanda.contracts.messaging import Channel, OutgoingMessage
from comanda.db import sql

from comanda_notifications.models import MessageStatus

# Longer than an attempt and its recording take, and short enough for a retry soon after a crash.
LEASE: Final = timedelta(seconds=45)

CLAIM_DUE_MESSAGES = """
    WITH due AS (
        SELECT id, owner_id FROM notifications_message
        WHERE channel = $1 AND next_attempt_at <= $2::timestamptz
            AND (leased_until IS NULL OR leased_until <= $2::timestamptz)
        ORDER BY next_attempt_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE notifications_message m SET leased_until = $4 FROM due WHERE m.id = due.id AND m.owner_id = due.owner_id
    RETURNING m.id, m.owner_id, m.number, m.purpose, m.channel, m.address, m.subject, m.text, m.html, m.platform,
        m.data, m.is_secret, m.attempts, m.expires_at, m.leased_until
"""
# The text of a secret message is erased once the message was sent or given up.
SAVE_ATTEMPT = """
    WITH done AS (
        UPDATE notifications_message SET
            status = $5, attempts = $3, transport = $6, error = $7, next_attempt_at = $8, leased_until = NULL,
            finished_at = CASE WHEN $8::timestamptz IS NULL THEN $11::timestamptz END,
            text = CASE WHEN $9 THEN NULL ELSE text END, html = CASE WHEN $9 THEN NULL ELSE html END,
            subject = CASE WHEN $9 THEN NULL ELSE subject END, data = CASE WHEN $9 THEN NULL ELSE data END
        WHERE id = $1 AND owner_id = $2 AND attempts = $3::smallint - 1 AND leased_until = $4
        RETURNING id)
    INSERT INTO notifications_attempt (owner_id, message_id, number, transport, error, duration_ms, attempted_at)
    SELECT $2, done.id, $3, $6, $7, $10, $11::timestamptz FROM done
"""


@dataclass(frozen=True, slots=True)
class ClaimedMessage:
    """A message leased to one sender until ``leased_until``. ``attempt`` is the number of the next attempt, from 1."""

    id: int
    owner_id: int
    purpose: str
    message: OutgoingMessage = field(repr=False)
    is_secret: bool
    attempt: int
    expires_at: datetime | None
    leased_until: datetime


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt; only a pending message has a ``next_attempt_at``."""

    status: MessageStatus
    attempted_at: datetime
    transport: str | None = None
    error: str | None = None
    next_attempt_at: datetime | None = None
    duration_ms: int = 0


async def claim_due_messages(channel: Channel, limit: int) -> Sequence[ClaimedMessage]:
    """Claim up to ``limit`` due messages of a channel, longest due first."""
    moment = clock.now()
    rows = await sql.fetch(CLAIM_DUE_MESSAGES, channel, moment, limit, moment + LEASE)
    return [_to_claimed_message(row) for row in sorted(rows, key=lambda row: int(row["id"]))]


async def record_attempt(claimed: ClaimedMessage, outcome: AttemptOutcome, *, erases: bool) -> bool:
    """Record an attempt and return whether it was accepted: only once, and only from the holder of the lease.

    ``erases`` deletes the texts of the message.
    """
    return bool(
        await sql.execute(
            SAVE_ATTEMPT,
            claimed.id,
            claimed.owner_id,
            claimed.attempt,
            claimed.leased_until,
            outcome.status.value,
            outcome.transport,
            outcome.error and outcome.error[:500],
            outcome.next_attempt_at,
            erases,
            outcome.duration_ms,
            outcome.attempted_at,
        )
    )


def _to_claimed_message(row: sql.Row) -> ClaimedMessage:
    return ClaimedMessage(
        id=row["id"],
        owner_id=row["owner_id"],
        purpose=row["purpose"],
        message=OutgoingMessage(
            row["channel"],
            row["address"],
            row["text"],
            subject=row["subject"],
            html=row["html"],
            id=row["number"],
            platform=row["platform"],
            data=None if row["data"] is None else orjson.loads(row["data"]),
        ),
        is_secret=row["is_secret"],
        attempt=row["attempts"] + 1,
        expires_at=row["expires_at"],
        leased_until=row["leased_until"],
    )
