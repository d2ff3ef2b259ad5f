"""The queue of deliveries: its table, and what each claimed delivery needs of its endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from comanda.contracts import ClaimedRow, QueueTable
from comanda.platform.db import sql

from comanda_webhooks.services.signing_secrets import SigningSecrets, decrypt_signing_secrets

DELIVERIES: Final = QueueTable(
    "webhooks_delivery",
    columns=("message_id", "event", "body"),
    share_by="endpoint_id",
    dead="q.status = 'failed'",
    stops_for_suspended=True,
)

# Suspended owners and paused endpoints receive nothing, but a paused endpoint receives the pings that its owner sends.
SELECT_RECEIVERS: Final = """
    SELECT e.id, e.owner_id, e.url, e.scopes, e.secret, e.old_secrets, e.failure_count,
        e.deleted_at IS NULL AND NOT o.is_suspended AS takes_pings,
        e.deleted_at IS NULL AND NOT o.is_suspended AND NOT e.is_paused AS takes_all
    FROM unnest($1::bigint[], $2::bigint[]) AS w (endpoint_id, owner_id)
    JOIN webhooks_endpoint e ON e.id = w.endpoint_id AND e.owner_id = w.owner_id
    JOIN core_owner_v1 o ON o.id = e.owner_id
"""
# Parked deliveries leave the index of due ones until their endpoint is resumed.
PARK_DELIVERIES: Final = """
    UPDATE webhooks_delivery d SET leased_until = NULL, next_attempt_at = NULL
    FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS p (id, owner_id, leased_until)
    WHERE d.id = p.id AND d.owner_id = p.owner_id AND d.leased_until = p.leased_until
"""


@dataclass(frozen=True)
class ClaimedEndpoint:
    """The endpoint of claimed deliveries. ``secret`` and ``old_secrets`` are encrypted."""

    id: int
    owner_id: int
    url: str
    scopes: tuple[str, ...]
    secret: str
    old_secrets: str
    failure_count: int

    @cached_property
    def signing_secrets(self) -> SigningSecrets:
        """The secrets, decrypted once for all deliveries of a claim. Raises ``DecryptionFailed``."""
        return decrypt_signing_secrets(self.secret, self.old_secrets, self.owner_id, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedDelivery(ClaimedRow):
    """A delivery leased to this process, with its endpoint; ``body`` is as stored."""

    endpoint: ClaimedEndpoint
    message_id: str
    event: str
    body: bytes


async def prepare_deliveries(rows: Sequence[ClaimedRow]) -> Sequence[ClaimedDelivery]:
    """Return claimed deliveries with their endpoints, and park those whose endpoint takes none now."""
    wanted = {row.share: row.owner_id for row in rows}
    found = await sql.fetch(SELECT_RECEIVERS, list(wanted), list(wanted.values()))
    receivers = {(row["id"], row["owner_id"]): (row, _to_endpoint(row)) for row in found}
    deliveries: list[ClaimedDelivery] = []
    parked: list[ClaimedRow] = []
    for row in rows:
        receiver, endpoint = receivers[row.share, row.owner_id]
        if receiver["takes_all"] or (receiver["takes_pings"] and row.values["event"] == "ping"):
            deliveries.append(_to_claimed_delivery(row, endpoint))
        else:
            parked.append(row)
    if parked:
        columns = zip(*((row.id, row.owner_id, row.leased_until) for row in parked), strict=True)
        await sql.execute(PARK_DELIVERIES, *map(list, columns))
    return deliveries


def _to_endpoint(row: sql.Row) -> ClaimedEndpoint:
    return sql.to_record(ClaimedEndpoint, row, scopes=tuple(row["scopes"]))


def _to_claimed_delivery(row: ClaimedRow, endpoint: ClaimedEndpoint) -> ClaimedDelivery:
    return ClaimedDelivery(
        id=row.id,
        owner_id=row.owner_id,
        attempt=row.attempt,
        due_at=row.due_at,
        leased_until=row.leased_until,
        share=row.share,
        endpoint=endpoint,
        message_id=row.values["message_id"],
        event=row.values["event"],
        body=row.values["body"].encode(),
    )
