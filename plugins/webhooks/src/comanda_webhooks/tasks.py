"""What happens by the clock: endpoints that fail for too long, deliveries that may go on, logs that have grown old."""

from datetime import timedelta

import structlog
from comanda import clock
from comanda.db import sql
from comanda.events.outbox import publish

from comanda_webhooks import fanout, settings
from comanda_webhooks.events import EndpointFailing
from comanda_webhooks.models import DisabledReason
from comanda_webhooks.results import announce_disabled

log = structlog.get_logger(__name__)

# An endpoint that has failed for this long and this often without a success is disabled; half-way its owner is told.
DISABLED_AFTER = timedelta(hours=120)
WARNED_AFTER = DISABLED_AFTER / 2
DISABLING_FAILURES = 10
CHUNK = 1000

# Its endpoint was resumed, or its owner is no longer suspended. What was parked meanwhile is found here too.
UNPARK = """
    UPDATE webhooks_delivery d SET next_attempt_at = $1::timestamptz
    FROM webhooks_endpoint e JOIN core_owner o ON o.id = e.owner_id
    WHERE d.status = 'pending' AND d.next_attempt_at IS NULL AND e.id = d.endpoint_id AND e.owner_id = d.owner_id
        AND NOT e.is_paused AND e.deleted_at IS NULL AND NOT o.is_suspended
"""
FAILING = """
    NOT is_paused AND deleted_at IS NULL AND failure_count >= $2 AND failing_since <= $1::timestamptz - $3::interval
"""
DISABLE = f"""
    UPDATE webhooks_endpoint SET is_paused = true, disabled_reason = '{DisabledReason.FAILING}' WHERE {FAILING}
    RETURNING id, owner_id, url
"""
WARN = f"""
    UPDATE webhooks_endpoint SET warned_at = $1 WHERE warned_at IS NULL AND {FAILING}
    RETURNING id, owner_id, url, failure_count
"""
PURGE_DELIVERIES = """
    DELETE FROM webhooks_delivery WHERE (id, owner_id) IN (
        SELECT d.id, d.owner_id FROM webhooks_endpoint e
        JOIN webhooks_delivery d ON d.endpoint_id = e.id AND d.owner_id = e.owner_id
        WHERE e.deleted_at IS NOT NULL LIMIT $1)
"""
PURGE_ENDPOINTS = """
    DELETE FROM webhooks_endpoint e WHERE e.deleted_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM webhooks_delivery d WHERE d.endpoint_id = e.id AND d.owner_id = e.owner_id)
"""
# Nobody resumed its endpoint for as long as bodies are kept.
EXPIRE = """
    UPDATE webhooks_delivery SET status = 'failed', finished_at = $2::timestamptz
    WHERE status = 'pending' AND next_attempt_at IS NULL AND created_at < $1
"""
PRUNE_BODIES = """
    WITH old AS (
        UPDATE webhooks_delivery SET body = NULL WHERE (id, owner_id) IN (
            SELECT id, owner_id FROM webhooks_delivery
            WHERE body IS NOT NULL AND status <> 'pending' AND created_at < $1 LIMIT $2)
        RETURNING id, owner_id),
    snippets AS (
        UPDATE webhooks_attempt a SET response_snippet = '' FROM old
        WHERE a.delivery_id = old.id AND a.owner_id = old.owner_id)
    SELECT count(*) FROM old
"""
PRUNE_LOG = """
    DELETE FROM webhooks_delivery WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM webhooks_delivery WHERE body IS NULL AND created_at < $1 LIMIT $2)
"""


async def sweep() -> None:
    """Disable endpoints that have failed for too long, warn of those that soon will have, resume what was parked.

    Emits ``EndpointDisabled`` and ``EndpointFailing``.
    """
    moment = clock.now()
    async with sql.transaction():
        for row in await sql.fetch(DISABLE, moment, DISABLING_FAILURES, DISABLED_AFTER):
            await announce_disabled(row["id"], row["owner_id"], row["url"], DisabledReason.FAILING)
        for row in await sql.fetch(WARN, moment, DISABLING_FAILURES, WARNED_AFTER):
            log.warning("webhook_endpoint_failing", endpoint_id=row["id"], owner_id=row["owner_id"])
            event = EndpointFailing(endpoint_id=row["id"], url=row["url"], failure_count=row["failure_count"])
            await publish(event, owner_id=row["owner_id"])
    if await sql.execute(UNPARK, moment):
        fanout.announce()


async def prune() -> None:
    """Forget bodies and answers, then whole deliveries, that are older than the settings say, and deleted endpoints."""
    moment = clock.now()
    kept = settings.current()
    bodies_before = moment - timedelta(days=kept.keep_bodies_days)
    log_before = moment - timedelta(days=max(kept.keep_log_days, kept.keep_bodies_days))
    await sql.execute(EXPIRE, bodies_before, moment)
    # In chunks, each its own short transaction: a day's worth at once would hold its locks for seconds.
    while await sql.fetch_value(PRUNE_BODIES, bodies_before, CHUNK) == CHUNK:
        pass
    while await sql.execute(PRUNE_LOG, log_before, CHUNK) == CHUNK:
        pass
    while await sql.execute(PURGE_DELIVERIES, CHUNK) == CHUNK:
        pass
    await sql.execute(PURGE_ENDPOINTS)
