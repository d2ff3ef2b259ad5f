"""The results of attempts, written in batches, each only if its sender still holds the delivery."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

import structlog
from comanda.contracts import RANDOM, RetrySchedule
from comanda.platform.db import split_by_statement, sql
from comanda.platform.events import publish

from comanda_webhooks.client import ReceiverResponse
from comanda_webhooks.events import EndpointDisabled
from comanda_webhooks.models import DeliveryState, DisabledReason
from comanda_webhooks.services.claims import ClaimedDelivery

log = structlog.get_logger(__name__)

RESULT = """unnest(
            $1::bigint[], $2::bigint[], $3::smallint[], $4::timestamptz[], $5::text[], $6::timestamptz[],
            $7::smallint[], $8::text[], $9::text[], $10::int[], $11::timestamptz[], $12::timestamptz[])
        AS r (id, owner_id, number, leased_until, status, next_attempt_at, http_status, error, response_snippet,
            duration_ms, attempted_at, finished_at)"""
# A result counts once, and only from the holder of the lease. Endpoints are locked in a fixed order, because several
# processes write. The commit does not wait for the disk: a result lost in a crash of PostgreSQL leads to a second
# delivery, which at-least-once delivery allows.
SAVE_RESULTS = f"""
    WITH done AS (
        UPDATE webhooks_delivery d SET
            status = r.status, attempts = r.number, http_status = r.http_status, next_attempt_at = r.next_attempt_at,
            leased_until = NULL, finished_at = r.finished_at
        FROM {RESULT}, (SELECT set_config('synchronous_commit', 'off', true)) AS quick
        WHERE d.id = r.id AND d.owner_id = r.owner_id AND d.attempts = r.number - 1 AND d.leased_until = r.leased_until
          AND d.owner_id = ANY($19::bigint[])
        RETURNING d.id),
    logged AS (
        INSERT INTO webhooks_attempt
            (owner_id, delivery_id, number, http_status, error, response_snippet, duration_ms, attempted_at)
        SELECT r.owner_id, r.id, r.number, r.http_status, r.error, r.response_snippet, r.duration_ms, r.attempted_at
        FROM {RESULT} JOIN done ON done.id = r.id),
    locked AS MATERIALIZED (
        SELECT e.id, e.is_paused FROM webhooks_endpoint e
        WHERE e.id = ANY($13::bigint[]) AND e.owner_id = ANY($19::bigint[]) ORDER BY e.id FOR NO KEY UPDATE OF e)
    UPDATE webhooks_endpoint e SET
        last_success_at = coalesce(t.last_success_at, e.last_success_at),
        last_failure_at = coalesce(t.last_failure_at, e.last_failure_at),
        failure_count = CASE WHEN t.last_success_at IS NULL THEN e.failure_count ELSE 0 END + t.failures,
        failing_since = CASE WHEN t.last_success_at IS NULL THEN coalesce(e.failing_since, t.failing_since)
            ELSE t.failing_since END,
        warned_at = CASE WHEN t.last_success_at IS NULL THEN e.warned_at END,
        is_paused = e.is_paused OR t.is_gone,
        disabled_reason = CASE WHEN t.is_gone AND NOT locked.is_paused THEN '{DisabledReason.GONE}'
            ELSE e.disabled_reason END
    FROM locked JOIN unnest(
        $13::bigint[], $14::timestamptz[], $15::timestamptz[], $16::int[], $17::timestamptz[], $18::boolean[])
        AS t (id, last_success_at, last_failure_at, failures, failing_since, is_gone) ON t.id = locked.id
    WHERE e.id = locked.id AND e.owner_id = ANY($19::bigint[])
    RETURNING e.id, e.owner_id, e.url, e.plugin, t.is_gone AND NOT locked.is_paused AS is_disabled_now
"""
RETRIES: Final = RetrySchedule((60, 300, 900, 3600))


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """An attempt made at ``attempted_at``, and the receiver's response."""

    claimed: ClaimedDelivery
    attempted_at: datetime
    response: ReceiverResponse

    @property
    def finished_at(self) -> datetime:
        """When the response was complete, or the attempt was given up."""
        return self.attempted_at + timedelta(milliseconds=self.response.duration_ms)


@dataclass(slots=True)
class EndpointTally:
    """The results of one endpoint in a batch: last success, last failure, and the failures since that success."""

    last_success_at: datetime | None = None
    last_failure_at: datetime | None = None
    failures: int = 0
    failing_since: datetime | None = None
    is_gone: bool = False

    def add(self, result: AttemptResult) -> None:
        """Add a result. Results must be added in chronological order."""
        moment = result.finished_at
        if result.response.is_success:
            self.last_success_at = moment
            self.failures, self.failing_since = 0, None
            return
        self.last_failure_at = moment
        self.failures += 1
        self.failing_since = self.failing_since or moment
        self.is_gone = self.is_gone or result.response.is_gone


async def save_results(results: Sequence[AttemptResult]) -> None:
    """Save a batch of results. Emits ``EndpointDisabled`` for an endpoint that answered 410."""
    owners = [result.claimed.owner_id for result in results]
    for owner_ids in await split_by_statement("webhooks_delivery", owners):
        await _save_results_of(owner_ids, [result for result in results if result.claimed.owner_id in owner_ids])


async def _save_results_of(owner_ids: Sequence[int], results: Sequence[AttemptResult]) -> None:
    values = (*_to_columns(results), *_to_tally_columns(results), owner_ids)
    if not any(result.response.is_gone for result in results):
        await sql.execute(SAVE_RESULTS, *values)
        return
    async with sql.transaction():
        for row in await sql.fetch(SAVE_RESULTS, *values):
            if row["is_disabled_now"]:
                await publish_disabled(row, DisabledReason.GONE)


async def publish_disabled(endpoint: sql.Row, reason: DisabledReason) -> None:
    """Log that an endpoint was disabled, and publish it unless it is a plugin's, which the owner does not know."""
    log.warning("webhook_endpoint_disabled", endpoint_id=endpoint["id"], owner_id=endpoint["owner_id"], reason=reason)
    if endpoint["plugin"] is None:
        event = EndpointDisabled(endpoint_id=endpoint["id"], url=endpoint["url"], reason=reason)
        await publish(event, owner_id=endpoint["owner_id"])


def _to_columns(results: Sequence[AttemptResult]) -> Iterable[list[object]]:
    rows = [_to_row(result) for result in results]
    return map(list, zip(*rows, strict=True))


def _to_row(result: AttemptResult) -> tuple[object, ...]:
    claimed, response = result.claimed, result.response
    later = get_next_attempt_at(claimed.attempt, result.finished_at, response)
    status = (
        DeliveryState.DELIVERED if response.is_success else DeliveryState.PENDING if later else DeliveryState.FAILED
    )
    return (
        claimed.id,
        claimed.owner_id,
        claimed.attempt,
        claimed.leased_until,
        status.value,
        later,
        response.status,
        response.error and response.error[:500],
        response.snippet,
        response.duration_ms,
        result.attempted_at,
        None if later else result.finished_at,
    )


def _to_tally_columns(results: Sequence[AttemptResult]) -> Iterable[list[object]]:
    tallies: dict[int, EndpointTally] = {}
    for result in results:
        tallies.setdefault(result.claimed.endpoint.id, EndpointTally()).add(result)
    rows = [
        (id, t.last_success_at, t.last_failure_at, t.failures, t.failing_since, t.is_gone) for id, t in tallies.items()
    ]
    return map(list, zip(*rows, strict=True))


def get_next_attempt_at(
    attempt: int, now: datetime, response: ReceiverResponse, rng: Random = RANDOM
) -> datetime | None:
    """Return when to try again, or None if the delivery succeeded, is given up, or was refused for good (410).

    ``attempt`` is the number of the attempt that ``response`` belongs to, from 1. A receiver's ``Retry-After`` makes
    the wait longer, never shorter.
    """
    delay = RETRIES.get_delay(attempt, rng)
    if delay is None or response.is_success or response.is_gone:
        return None
    return now + max(delay, timedelta(seconds=response.retry_after_seconds or 0))
