"""Writes down what became of attempts: many in one statement, each only if its sender still holds the delivery."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import SystemRandom

import structlog
from comanda.db import sql
from comanda.events.outbox import publish

from comanda_webhooks.claiming import Claimed
from comanda_webhooks.client import Answer
from comanda_webhooks.events import EndpointDisabled
from comanda_webhooks.models import DeliveryState, DisabledReason
from comanda_webhooks.schedule import next_attempt_at

log = structlog.get_logger(__name__)

JITTER = SystemRandom()

# A result counts once and only from the lease's holder. Endpoints are locked in one order, as several processes write.
# The commit waits for no disk: a result that a crash of PostgreSQL forgets is a delivery made twice, as it may be.
SAVE = f"""
    WITH result AS (
        SELECT * FROM unnest(
            $1::bigint[], $2::bigint[], $3::smallint[], $4::timestamptz[], $5::text[], $6::timestamptz[],
            $7::smallint[], $8::text[], $9::text[], $10::int[], $11::timestamptz[], $12::timestamptz[])
        AS r (id, owner_id, number, leased_until, status, next_attempt_at, http_status, error, response_snippet,
            duration_ms, attempted_at, finished_at)),
    done AS (
        UPDATE webhooks_delivery d SET
            status = r.status, attempts = r.number, http_status = r.http_status, next_attempt_at = r.next_attempt_at,
            leased_until = NULL, finished_at = r.finished_at
        FROM result r
        WHERE d.id = r.id AND d.owner_id = r.owner_id AND d.attempts = r.number - 1 AND d.leased_until = r.leased_until
        RETURNING d.id),
    logged AS (
        INSERT INTO webhooks_attempt
            (owner_id, delivery_id, number, http_status, error, response_snippet, duration_ms, attempted_at)
        SELECT r.owner_id, r.id, r.number, r.http_status, r.error, r.response_snippet, r.duration_ms, r.attempted_at
        FROM result r JOIN done ON done.id = r.id),
    locked AS MATERIALIZED (
        SELECT e.id, e.is_paused FROM webhooks_endpoint e
        CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS quick
        WHERE e.id = ANY($13::bigint[]) ORDER BY e.id FOR NO KEY UPDATE OF e)
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
    WHERE e.id = locked.id
    RETURNING e.id, e.owner_id, e.url, t.is_gone AND NOT locked.is_paused AS is_disabled_now
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One attempt that was made at ``attempted_at``, and what came of it."""

    claimed: Claimed
    attempted_at: datetime
    answer: Answer

    @property
    def finished_at(self) -> datetime:
        """When the answer was complete, or the attempt given up."""
        return self.attempted_at + timedelta(milliseconds=self.answer.duration_ms)


@dataclass(slots=True)
class Tally:
    """What a batch says about one endpoint: its last success and failure, and the failures after that success."""

    last_success_at: datetime | None = None
    last_failure_at: datetime | None = None
    failures: int = 0
    failing_since: datetime | None = None
    is_gone: bool = False

    def add(self, result: Result) -> None:
        """Count a result; results come in the order in which they were had."""
        moment = result.finished_at
        if result.answer.is_success:
            self.last_success_at = moment
            self.failures, self.failing_since = 0, None
            return
        self.last_failure_at = moment
        self.failures += 1
        self.failing_since = self.failing_since or moment
        self.is_gone = self.is_gone or result.answer.is_gone


async def save(results: Sequence[Result]) -> None:
    """Write a batch of results. Emits ``EndpointDisabled`` for an endpoint that has said 410."""
    values = (*_columns(results), *_tally_columns(results))
    if not any(result.answer.is_gone for result in results):
        await sql.execute(SAVE, *values)
        return
    async with sql.transaction():
        for row in await sql.fetch(SAVE, *values):
            if row["is_disabled_now"]:
                await announce_disabled(row["id"], row["owner_id"], row["url"], DisabledReason.GONE)


async def announce_disabled(endpoint_id: int, owner_id: int, url: str, reason: DisabledReason) -> None:
    """Tell the owner, and the operator's log, that an endpoint was disabled."""
    log.warning("webhook_endpoint_disabled", endpoint_id=endpoint_id, owner_id=owner_id, reason=reason.value)
    await publish(EndpointDisabled(endpoint_id=endpoint_id, url=url, reason=reason), owner_id=owner_id)


def _columns(results: Sequence[Result]) -> Iterable[list[object]]:
    rows = [_row(result) for result in results]
    return map(list, zip(*rows, strict=True))


def _row(result: Result) -> tuple[object, ...]:
    claimed, answer = result.claimed, result.answer
    later = next_attempt_at(claimed.attempt, result.finished_at, answer, JITTER)
    status = DeliveryState.DELIVERED if answer.is_success else DeliveryState.PENDING if later else DeliveryState.FAILED
    return (
        claimed.id,
        claimed.owner_id,
        claimed.attempt,
        claimed.leased_until,
        status.value,
        later,
        answer.status,
        answer.error and answer.error[:500],
        answer.snippet,
        answer.duration_ms,
        result.attempted_at,
        None if later else result.finished_at,
    )


def _tally_columns(results: Sequence[Result]) -> Iterable[list[object]]:
    tallies: dict[int, Tally] = {}
    for result in results:
        tallies.setdefault(result.claimed.endpoint_id, Tally()).add(result)
    rows = [
        (id, t.last_success_at, t.last_failure_at, t.failures, t.failing_since, t.is_gone) for id, t in tallies.items()
    ]
    return map(list, zip(*rows, strict=True))
