"""Messages that were given up, for administrators, who see neither addresses nor texts."""

from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, clock
from comanda.contracts import DeadLetters
from comanda.platform.db import sql

LOCK_UNDELIVERABLE: Final = """
    SELECT text IS NOT NULL AS has_text, expires_at FROM notifications_message
    WHERE id = $1 AND owner_id = $2 AND status = 'undeliverable' FOR NO KEY UPDATE
"""
REOPEN: Final = """
    WITH tried AS (DELETE FROM notifications_attempt WHERE message_id = $1 AND owner_id = $2)
    UPDATE notifications_message SET status = 'pending', attempts = 0, transport = NULL, error = NULL,
        next_attempt_at = $3, leased_until = NULL, finished_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
DELETE_UNDELIVERABLE: Final = """
    DELETE FROM notifications_message WHERE id = $1 AND owner_id = $2 AND status = 'undeliverable'
"""


async def retry_message(owner_id: int, message_id: int) -> None:
    """Make an undeliverable message due again, with all of its attempts.

    Raises ``NotFound``; ``Conflict`` if its text was erased, or if it has expired.
    """
    moment = clock.now()
    row = await sql.require_one(LOCK_UNDELIVERABLE, message_id, owner_id)
    if not row["has_text"]:
        raise Conflict(Sentence("The text of this message is no longer stored."), extras={"reason": "erased"})
    if row["expires_at"] is not None and row["expires_at"] <= moment:
        raise Conflict(Sentence("This message has expired."), extras={"reason": "expired"})
    await sql.execute(REOPEN, message_id, owner_id, moment)


async def discard_message(owner_id: int, message_id: int) -> None:
    """Delete an undeliverable message with its attempts. Raises ``NotFound``."""
    if not await sql.execute(DELETE_UNDELIVERABLE, message_id, owner_id):
        raise NotFound


DEAD_LETTERS: Final = DeadLetters("q.purpose", "q.error", retry_message, discard_message)
