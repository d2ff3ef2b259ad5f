"""Claims of due deliveries by a sender: many at once, and some from every endpoint."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from comanda import clock
from comanda.db import sql

from comanda_webhooks.services.signing_secrets import get_live_secrets

# Longer than an attempt can take, but short enough as a delay after a crash.
LEASE_DURATION = timedelta(seconds=30)

# ``waiting`` skips through the index from endpoint to endpoint, so that a backlog of one never starves another.
# Deliveries of paused or deleted endpoints and of suspended owners are parked: they leave the index until resumed.
# The commit does not wait for the disk: a claim lost in a crash of PostgreSQL is simply made again.
CLAIM_DUE_DELIVERIES = """
    WITH RECURSIVE waiting (endpoint_id) AS (
        (SELECT d.endpoint_id FROM webhooks_delivery d
         WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > $1 ORDER BY d.endpoint_id LIMIT 1)
        UNION ALL
        SELECT following.endpoint_id FROM waiting w CROSS JOIN LATERAL (
            SELECT d.endpoint_id FROM webhooks_delivery d
            WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > w.endpoint_id
            ORDER BY d.endpoint_id LIMIT 1) following),
    receiver AS MATERIALIZED (
        SELECT e.id, coalesce(known.room, $4::int) AS room, e.url, e.scopes, e.secret, e.old_secrets, e.failure_count,
            e.deleted_at IS NULL AND NOT o.is_suspended AS takes_pings,
            e.deleted_at IS NULL AND NOT o.is_suspended AND NOT e.is_paused AS takes_all
        FROM (SELECT endpoint_id FROM waiting LIMIT $5::int) w
        JOIN webhooks_endpoint e ON e.id = w.endpoint_id
        JOIN core_owner o ON o.id = e.owner_id
        LEFT JOIN unnest($2::bigint[], $3::int[]) AS known (endpoint_id, room) ON known.endpoint_id = e.id
        CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS quick
        ORDER BY e.id),
    due AS MATERIALIZED (
        SELECT one.id, one.owner_id, r.takes_all OR one.event = 'ping' AND r.takes_pings AS goes_out,
            r.url, r.scopes, r.secret, r.old_secrets, r.failure_count
        FROM receiver r CROSS JOIN LATERAL (
            SELECT d.id, d.owner_id, d.event FROM webhooks_delivery d
            WHERE d.endpoint_id = r.id AND d.next_attempt_at <= $6::timestamptz
                AND (d.leased_until IS NULL OR d.leased_until <= $6::timestamptz)
            ORDER BY d.next_attempt_at, d.id LIMIT r.room FOR NO KEY UPDATE SKIP LOCKED) one
        LIMIT $5::int)
    UPDATE webhooks_delivery d SET
        leased_until = CASE WHEN due.goes_out THEN $7::timestamptz END,
        next_attempt_at = CASE WHEN due.goes_out THEN d.next_attempt_at END
    FROM due WHERE d.id = due.id AND d.owner_id = due.owner_id
    RETURNING d.id, d.owner_id, d.endpoint_id, d.message_id, d.event, d.body, d.attempts, d.next_attempt_at,
        d.leased_until, due.url, due.scopes, due.secret, due.old_secrets, due.failure_count
"""


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery leased to one sender until ``leased_until``. ``attempt`` is the number of the next attempt, from 1.

    ``secret`` and ``old_secrets`` are encrypted; ``body`` is as stored; ``scopes`` are the endpoint's.
    """

    id: int
    owner_id: int
    endpoint_id: int
    message_id: str
    event: str
    body: bytes
    attempt: int
    due_at: datetime
    leased_until: datetime
    url: str
    scopes: tuple[str, ...]
    secret: str
    old_secrets: str
    endpoint_failures: int

    def get_secrets(self, moment: datetime) -> tuple[str, ...]:
        """Return the secrets that are valid at ``moment``. Raises ``DecryptionFailed``."""
        return get_live_secrets(self.secret, self.old_secrets, self.owner_id, self.endpoint_id, moment)


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The deliveries of one claim. ``last_endpoint_id`` is where to continue, 0 once all endpoints had their turn."""

    deliveries: list[ClaimedDelivery]
    last_endpoint_id: int


async def claim_due_deliveries(
    after_endpoint_id: int, room_by_endpoint: Mapping[int, int], default_room: int, limit: int
) -> ClaimResult:
    """Claim up to ``limit`` due deliveries of the endpoints after ``after_endpoint_id``.

    ``room_by_endpoint`` limits the deliveries of each endpoint in progress, ``default_room`` those of any other.
    """
    moment = clock.now()
    rows = await sql.fetch(
        CLAIM_DUE_DELIVERIES,
        after_endpoint_id,
        list(room_by_endpoint),
        list(room_by_endpoint.values()),
        default_room,
        limit,
        moment,
        moment + LEASE_DURATION,
    )
    deliveries = [_to_claimed_delivery(row) for row in rows if row["leased_until"] is not None]
    deliveries.sort(key=lambda delivery: (delivery.due_at, delivery.id))
    last = max((row["endpoint_id"] for row in rows), default=0) if len(rows) >= limit else 0
    return ClaimResult(deliveries, last)


def _to_claimed_delivery(row: sql.Row) -> ClaimedDelivery:
    return ClaimedDelivery(
        id=row["id"],
        owner_id=row["owner_id"],
        endpoint_id=row["endpoint_id"],
        message_id=row["message_id"],
        event=row["event"],
        body=row["body"].encode(),
        attempt=row["attempts"] + 1,
        due_at=row["next_attempt_at"],
        leased_until=row["leased_until"],
        url=row["url"],
        scopes=tuple(row["scopes"]),
        secret=row["secret"],
        old_secrets=row["old_secrets"],
        endpoint_failures=row["failure_count"],
    )
