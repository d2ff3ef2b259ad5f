"""Deliveries that were given up, for administrators."""

from typing import Final

from comanda.basics import Conflict, NotFound, clock
from comanda.contracts import DeadLetters
from comanda.platform.db import sql

LAST_ERROR: Final = """coalesce(
    (SELECT a.error FROM webhooks_attempt a WHERE a.delivery_id = q.id AND a.owner_id = q.owner_id
     ORDER BY a.number DESC LIMIT 1),
    'HTTP ' || q.http_status)"""
LOCK_FAILED: Final = """
    SELECT d.body IS NOT NULL AS has_body, e.deleted_at IS NULL AND NOT e.is_paused AS is_open FROM webhooks_delivery d
    JOIN webhooks_endpoint e ON e.id = d.endpoint_id AND e.owner_id = d.owner_id
    WHERE d.id = $1 AND d.owner_id = $2 AND d.status = 'failed' FOR NO KEY UPDATE OF d
"""
# Receivers know a repeated delivery by its unchanged id.
REOPEN: Final = """
    WITH tried AS (DELETE FROM webhooks_attempt WHERE delivery_id = $1 AND owner_id = $2)
    UPDATE webhooks_delivery SET status = 'pending', attempts = 0, http_status = NULL, next_attempt_at = $3,
        leased_until = NULL, finished_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
DELETE_FAILED: Final = "DELETE FROM webhooks_delivery WHERE id = $1 AND owner_id = $2 AND status = 'failed'"


async def retry_delivery(owner_id: int, delivery_id: int) -> None:
    """Make a failed delivery due again, with all of its attempts.

    Raises ``NotFound``; ``Conflict`` if its body has been pruned, or its endpoint is paused or deleted.
    """
    row = await sql.require_one(LOCK_FAILED, delivery_id, owner_id)
    if not row["has_body"]:
        raise Conflict("The body of this delivery is no longer stored.", extras={"reason": "pruned"})
    if not row["is_open"]:
        raise Conflict("The endpoint of this delivery is paused or deleted.", extras={"reason": "paused"})
    await sql.execute(REOPEN, delivery_id, owner_id, clock.now())


async def discard_delivery(owner_id: int, delivery_id: int) -> None:
    """Delete a failed delivery with its attempts. Raises ``NotFound``."""
    if not await sql.execute(DELETE_FAILED, delivery_id, owner_id):
        raise NotFound


DEAD_LETTERS: Final = DeadLetters("q.event", LAST_ERROR, retry_delivery, discard_delivery)
