"""Scheduled tasks: disable failing endpoints, resume parked deliveries, prune the log."""

from datetime import timedelta

import structlog
from comanda.basics import clock
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_webhooks import settings
from comanda_webhooks.events import EndpointFailing
from comanda_webhooks.models import DisabledReason
from comanda_webhooks.services import delivery_queue
from comanda_webhooks.services.attempt_results import publish_disabled

log = structlog.get_logger(__name__)

# An endpoint that has failed for this long and this often without a success is disabled; its owner is warned half-way.
DISABLED_AFTER = timedelta(hours=120)
WARNED_AFTER = DISABLED_AFTER / 2
MIN_FAILURES = 10
CHUNK_SIZE = 1000

# The endpoint was resumed, or the owner is no longer suspended.
UNPARK_DELIVERIES = """
    UPDATE webhooks_delivery d SET next_attempt_at = $1::timestamptz
    FROM webhooks_endpoint e JOIN core_owner_v1 o ON o.id = e.owner_id
    WHERE d.status = 'pending' AND d.next_attempt_at IS NULL AND e.id = d.endpoint_id AND e.owner_id = d.owner_id
        AND NOT e.is_paused AND e.deleted_at IS NULL AND NOT o.is_suspended
"""
FAILING_ENDPOINT = """
    NOT is_paused AND deleted_at IS NULL AND failure_count >= $2 AND failing_since <= $1::timestamptz - $3::interval
"""
DISABLE_FAILING_ENDPOINTS = f"""
    UPDATE webhooks_endpoint SET is_paused = true, disabled_reason = '{DisabledReason.FAILING}' WHERE {FAILING_ENDPOINT}
    RETURNING id, owner_id, url, plugin
"""
MARK_ENDPOINTS_WARNED = f"""
    UPDATE webhooks_endpoint SET warned_at = $1 WHERE warned_at IS NULL AND {FAILING_ENDPOINT}
    RETURNING id, owner_id, url, failure_count, plugin
"""
DELETE_ORPHANED_DELIVERIES = """
    DELETE FROM webhooks_delivery WHERE (id, owner_id) IN (
        SELECT d.id, d.owner_id FROM webhooks_endpoint e
        JOIN webhooks_delivery d ON d.endpoint_id = e.id AND d.owner_id = e.owner_id
        WHERE e.deleted_at IS NOT NULL LIMIT $1)
"""
DELETE_EMPTY_ENDPOINTS = """
    DELETE FROM webhooks_endpoint e WHERE e.deleted_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM webhooks_delivery d WHERE d.endpoint_id = e.id AND d.owner_id = e.owner_id)
"""
# The endpoint was not resumed within the retention of bodies.
FAIL_EXPIRED_DELIVERIES = """
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


async def sweep_endpoints() -> None:
    """Disable endpoints that have failed for too long, warn about those half-way there, and resume parked deliveries.

    Emits ``EndpointDisabled`` and ``EndpointFailing``.
    """
    moment = clock.now()
    async with sql.transaction():
        for row in await sql.fetch(DISABLE_FAILING_ENDPOINTS, moment, MIN_FAILURES, DISABLED_AFTER):
            await publish_disabled(row, DisabledReason.FAILING)
        for row in await sql.fetch(MARK_ENDPOINTS_WARNED, moment, MIN_FAILURES, WARNED_AFTER):
            log.warning("webhook_endpoint_failing", endpoint_id=row["id"], owner_id=row["owner_id"])
            if row["plugin"] is not None:
                continue  # the owner does not know it
            event = EndpointFailing(endpoint_id=row["id"], url=row["url"], failure_count=row["failure_count"])
            await publish(event, owner_id=row["owner_id"])
    if await sql.execute(UNPARK_DELIVERIES, moment):
        delivery_queue.notify_senders()


async def prune_log() -> None:
    """Delete expired bodies and responses, then expired deliveries, then deleted endpoints."""
    moment = clock.now()
    kept = settings.get_settings()
    bodies_before = moment - timedelta(days=kept.keep_bodies_days)
    log_before = moment - timedelta(days=max(kept.keep_log_days, kept.keep_bodies_days))
    await sql.execute(FAIL_EXPIRED_DELIVERIES, bodies_before, moment)
    # In chunks with a short transaction each, because a whole day's deliveries would be locked for seconds.
    while await sql.fetch_value(PRUNE_BODIES, bodies_before, CHUNK_SIZE) == CHUNK_SIZE:
        pass
    while await sql.execute(PRUNE_LOG, log_before, CHUNK_SIZE) == CHUNK_SIZE:
        pass
    while await sql.execute(DELETE_ORPHANED_DELIVERIES, CHUNK_SIZE) == CHUNK_SIZE:
        pass
    await sql.execute(DELETE_EMPTY_ENDPOINTS)
