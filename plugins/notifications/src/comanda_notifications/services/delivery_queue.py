"""The queues of due messages, one per channel, and the records of their attempts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import orjson
from comanda.contracts import CHANNELS, Channel, ClaimedRow, OutgoingMessage, QueueTable, Sender
from comanda.platform.db import sql

from comanda_notifications.models import MessageStatus

# Owners take turns, so that one owner's newsletter delays nobody else's login code.
TABLES: Final[dict[Channel, QueueTable]] = {
    channel: QueueTable(
        "notifications_message",
        columns=(
            *("number", "purpose", "channel", "address", "subject", "text", "html", "platform", "data", "is_secret"),
            *("expires_at", "sender_name", "reply_to"),
        ),
        condition=f"q.channel = '{channel}'",
        share_by="owner_id",
        dead="q.status = 'undeliverable'",
    )
    for channel in CHANNELS
}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedMessage(ClaimedRow):
    """A message leased to this process."""

    purpose: str
    message: OutgoingMessage = field(repr=False)
    is_secret: bool
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt; only a pending message has a ``next_attempt_at``."""

    status: MessageStatus
    attempted_at: datetime
    transport: str | None = None
    error: str | None = None
    next_attempt_at: datetime | None = None
    duration_ms: int = 0


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


async def prepare_messages(rows: Sequence[ClaimedRow]) -> Sequence[ClaimedMessage]:
    return [_to_claimed_message(row) for row in rows]


def _to_claimed_message(row: ClaimedRow) -> ClaimedMessage:
    values = row.values
    return ClaimedMessage(
        id=row.id,
        owner_id=row.owner_id,
        attempt=row.attempt,
        due_at=row.due_at,
        leased_until=row.leased_until,
        share=row.share,
        purpose=values["purpose"],
        message=OutgoingMessage(
            values["channel"],
            values["address"],
            values["text"],
            subject=values["subject"],
            html=values["html"],
            id=values["number"],
            platform=values["platform"],
            data=None if values["data"] is None else orjson.loads(values["data"]),
            owner_id=row.owner_id,
            sender=Sender(values["sender_name"], values["reply_to"]),
        ),
        is_secret=values["is_secret"],
        expires_at=values["expires_at"],
    )
