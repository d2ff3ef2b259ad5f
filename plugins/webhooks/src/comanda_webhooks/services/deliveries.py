"""The delivery log, test events, redeliveries and replays."""

from collections.abc import Sequence
from typing import Any

import orjson
from comanda.basics import Conflict, clock, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.orders import erasure
from comanda.platform.db import sql

from comanda_webhooks.events import Ping
from comanda_webhooks.models import Attempt, Delivery, DeliveryState, Endpoint
from comanda_webhooks.records import DetailedDelivery, LoggedAttempt, LoggedDelivery, Replay
from comanda_webhooks.schemas import DeliveryQuery, ReplayBody
from comanda_webhooks.services import delivery_queue, endpoints
from comanda_webhooks.services.delivery_queue import NewDelivery
from comanda_webhooks.services.signatures import generate_message_id
from comanda_webhooks.services.visibility import redact_body, shows_whole_body

DELIVERIES_PER_PAGE = 30
MAX_REPLAYED = 5000

# The body begins with {"id":"…", and a redelivery changes only this id.
INSERT_REDELIVERIES = """
    WITH original AS (
        SELECT d.*, 'msg_' || replace(gen_random_uuid()::text, '-', '') AS new_id FROM webhooks_delivery d
        WHERE d.endpoint_id = $1 AND d.owner_id = $2 AND d.id = ANY($3::bigint[]) AND d.body IS NOT NULL)
    INSERT INTO webhooks_delivery
        (owner_id, endpoint_id, event_id, message_id, event, body, redelivered_from_id, created_at, next_attempt_at)
    SELECT owner_id, endpoint_id, event_id, new_id, event,
        '{"id":"' || new_id || substr(body, 8 + length(message_id)), coalesce(redelivered_from_id, id), $4, $4
    FROM original ORDER BY id
    RETURNING id
"""
# A delivery that was attempted and waits for its next attempt counts as failed. One that has not been attempted yet is
# still on its way, and so is a locked one, whose result is being written.
SELECT_REPLAYABLE_DELIVERIES = """
    SELECT d.id FROM webhooks_delivery d
    WHERE d.endpoint_id = $1 AND d.owner_id = $2 AND d.redelivered_from_id IS NULL AND d.body IS NOT NULL
        AND d.created_at >= $3 AND ($4::timestamptz IS NULL OR d.created_at < $4)
        AND (d.status = ANY($5::text[]) OR d.status = 'pending' AND d.attempts > 0)
        AND NOT EXISTS (
            SELECT 1 FROM webhooks_delivery again
            WHERE again.redelivered_from_id = d.id AND again.owner_id = d.owner_id
                AND (again.status = 'pending' AND again.attempts = 0 OR again.status = 'delivered' AND NOT $7))
    ORDER BY d.id LIMIT $6 FOR NO KEY UPDATE OF d SKIP LOCKED
"""
# One redelivery of an endpoint at a time, so that of two concurrent ones the later supersedes the earlier. The endpoint
# is not locked, because writing results locks deliveries first and endpoints second.
LOCK_REDELIVERY = "SELECT pg_advisory_xact_lock(hashtextextended('webhooks_redelivery', $1))"
# The deliveries of the same events that are still pending. Without a lease no sender can write a result, and without a
# next attempt none claims them again.
SUPERSEDE_DELIVERIES = """
    WITH original AS (
        SELECT coalesce(d.redelivered_from_id, d.id) AS id FROM webhooks_delivery d
        WHERE d.endpoint_id = $1 AND d.owner_id = $2 AND d.id = ANY($3::bigint[]) AND d.body IS NOT NULL),
    tried AS (
        SELECT d.id FROM original o JOIN webhooks_delivery d ON d.id = o.id
        WHERE d.owner_id = $2 AND d.status = 'pending'
        UNION
        SELECT d.id FROM original o JOIN webhooks_delivery d ON d.redelivered_from_id = o.id
        WHERE d.owner_id = $2 AND d.status = 'pending'),
    locked AS MATERIALIZED (
        SELECT d.id FROM webhooks_delivery d WHERE d.id IN (SELECT id FROM tried) AND d.owner_id = $2
        ORDER BY d.id FOR NO KEY UPDATE)
    UPDATE webhooks_delivery d
    SET status = 'superseded', finished_at = $4::timestamptz, next_attempt_at = NULL, leased_until = NULL
    FROM locked WHERE d.id = locked.id AND d.owner_id = $2 AND d.endpoint_id = $1 AND d.status = 'pending'
"""


async def list_deliveries(
    caller: Caller, endpoint_id: int, query: DeliveryQuery, page: PageRequest
) -> RecordPage[LoggedDelivery]:
    """Return a page of an endpoint's deliveries, newest first. Raises ``NotFound`` for another owner's endpoint."""
    await endpoints.get_own_endpoint(caller, endpoint_id)
    filters = {name: value for name, value in (("status", query.status), ("event", query.event)) if value is not None}
    found = Delivery.filter(endpoint_id=endpoint_id, owner_id=caller.owner_id, **filters)
    rows = await found.order_by("-id").offset(page.offset(DELIVERIES_PER_PAGE)).limit(page.size(DELIVERIES_PER_PAGE))
    return page.of(
        [_to_delivery(row) for row in rows],
        await page.get_total(rows, found.count, DELIVERIES_PER_PAGE),
        DELIVERIES_PER_PAGE,
    )


async def get_delivery(caller: Caller, endpoint_id: int, delivery_id: int) -> DetailedDelivery:
    """Return one delivery with its attempts. Raises ``NotFound``."""
    endpoint = await endpoints.get_own_endpoint(caller, endpoint_id)
    found = await _get_own_delivery(caller, endpoint_id, delivery_id)
    shows_all = shows_whole_body(found.event, caller.scopes)
    attempts = await Attempt.filter(delivery_id=found.id, owner_id=caller.owner_id).order_by("number")
    return extend_record(
        DetailedDelivery,
        _to_delivery(found),
        payload=_get_payload(found, endpoint, caller),
        attempts=[_to_attempt(attempt, shows_response=shows_all) for attempt in attempts],
    )


@sql.transaction()
async def send_ping(caller: Caller, endpoint_id: int) -> LoggedDelivery:
    """Queue a ``ping``, even for an endpoint that is paused or not subscribed to it. Raises ``NotFound``."""
    found = await endpoints.get_own_endpoint(caller, endpoint_id)
    message_id = generate_message_id()
    data = Ping(endpoint_id=found.id).model_dump(mode="json")
    text = delivery_queue.encode_body(message_id, Ping.name, clock.now(), data)
    await delivery_queue.queue_deliveries([NewDelivery(caller.owner_id, found.id, None, message_id, Ping.name, text)])
    return _to_delivery(await Delivery.get(endpoint_id=found.id, owner_id=caller.owner_id, message_id=message_id))


async def redeliver(caller: Caller, endpoint_id: int, delivery_id: int) -> LoggedDelivery:
    """Send a delivery again with a new id. If it is still pending, the new delivery supersedes it.

    Raises ``NotFound``; ``Conflict`` if its body has been pruned or its endpoint is paused.
    """
    await endpoints.get_own_endpoint(caller, endpoint_id)
    found = await _get_own_delivery(caller, endpoint_id, delivery_id)
    if found.body is None:
        raise Conflict("The body of this delivery is no longer stored.", extras={"reason": "pruned"})
    async with sql.transaction():
        await erasure.lock_for_copying()
        await _lock_redelivery(caller, endpoint_id)
        [new_id] = await _requeue(caller.owner_id, endpoint_id, [found.id])
        delivery_queue.notify_senders()
    return _to_delivery(await Delivery.get(id=new_id, owner_id=caller.owner_id))


async def replay_deliveries(caller: Caller, endpoint_id: int, body: ReplayBody) -> Replay:
    """Send the deliveries of a time span again, oldest first, at most ``MAX_REPLAYED``.

    Raises ``NotFound``; ``Conflict`` if the endpoint is paused.
    """
    takes_all = body.status == "all"
    statuses = [DeliveryState.FAILED, DeliveryState.SUPERSEDED, *([DeliveryState.DELIVERED] if takes_all else [])]
    async with sql.transaction():
        await erasure.lock_for_copying()
        await _lock_redelivery(caller, endpoint_id)
        rows = await sql.fetch(
            SELECT_REPLAYABLE_DELIVERIES,
            endpoint_id,
            caller.owner_id,
            body.since,
            body.until,
            statuses,
            MAX_REPLAYED + 1,
            takes_all,
        )
        wanted = [row["id"] for row in rows[:MAX_REPLAYED]]
        new_ids = await _requeue(caller.owner_id, endpoint_id, wanted)
        delivery_queue.notify_senders()
    return Replay(len(new_ids), len(rows) > MAX_REPLAYED)


async def _requeue(owner_id: int, endpoint_id: int, delivery_ids: Sequence[int]) -> list[int]:
    """Queue copies of deliveries in the open transaction, supersede pending ones, and return the new ids."""
    values = (endpoint_id, owner_id, list(delivery_ids), clock.now())
    await sql.execute(SUPERSEDE_DELIVERIES, *values)
    return [row["id"] for row in await sql.fetch(INSERT_REDELIVERIES, *values)]


async def _lock_redelivery(caller: Caller, endpoint_id: int) -> None:
    """Lock redeliveries of this endpoint until the open transaction ends. Raises ``Conflict`` if it is paused."""
    await sql.fetch_value(LOCK_REDELIVERY, endpoint_id)
    endpoint = await endpoints.get_own_endpoint(caller, endpoint_id)
    if endpoint.is_paused:
        raise Conflict("This endpoint is paused. Resume it first.", extras={"reason": "paused"})


async def _get_own_delivery(caller: Caller, endpoint_id: int, delivery_id: int) -> Delivery:
    return require_found(await Delivery.get_or_none(id=delivery_id, endpoint_id=endpoint_id, owner_id=caller.owner_id))


def _get_payload(found: Delivery, endpoint: Endpoint, caller: Caller) -> Any:
    """Return the payload as the endpoint receives it, redacted to the caller's scopes."""
    if found.body is None:
        return None
    sent = redact_body(found.event, found.body.encode(), endpoint.scopes)
    return orjson.loads(redact_body(found.event, sent, caller.scopes))


def _to_delivery(row: Delivery) -> LoggedDelivery:
    return extend_record(
        LoggedDelivery,
        row,
        webhook_id=row.message_id,
        status=DeliveryState(row.status),
        attempts_made=row.attempts,
        redelivered_from=row.redelivered_from_id,
    )


def _to_attempt(row: Attempt, *, shows_response: bool) -> LoggedAttempt:
    return extend_record(LoggedAttempt, row, response_snippet=row.response_snippet if shows_response else "")
