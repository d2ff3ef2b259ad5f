"""Turns events into deliveries: one row for each endpoint that wants the event, its body serialised once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Final

import orjson
from comanda import clock
from comanda.db import sql
from comanda.events.types import StoredEvent
from comanda.tasks import bells

from comanda_webhooks.matching import matches
from comanda_webhooks.signing import message_id_of

CHANNEL: Final = "webhooks"
# The customers plugin's, where that is installed.
ERASED: Final = "customer.erased"

ENDPOINTS = """
    SELECT e.id, e.owner_id, e.events FROM webhooks_endpoint e JOIN core_owner o ON o.id = e.owner_id
    WHERE e.owner_id = ANY($1::bigint[]) AND NOT e.is_paused AND e.deleted_at IS NULL AND NOT o.is_suspended
"""
# The conflict is an event that is handled again after a crash: its delivery is there already. Deliveries of events need
# not wait for the disk: the commit that crosses the event off comes later and takes them there with it, and one that is
# lost before, even after it was sent, is made again under the same id.
INSERT = """
    INSERT INTO webhooks_delivery
        (owner_id, endpoint_id, event_id, message_id, event, body, created_at, next_attempt_at)
    SELECT n.*, $7::timestamptz, $7::timestamptz
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS n
    CROSS JOIN (SELECT set_config('synchronous_commit', coalesce($8, current_setting('synchronous_commit')), true)) q
    ON CONFLICT DO NOTHING
"""


# Who was erased is told of no more. The body goes on beginning with {"id":"…", as a redelivery expects.
FORGET = """
    UPDATE webhooks_delivery d
    SET body = '{"id":"' || d.message_id || '",' || substr((jsonb_set(d.body::jsonb - 'id', '{data}',
        jsonb_build_object('id', asked.id, 'restaurant_id', asked.restaurant_id, 'is_erased', true)))::text, 2)
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS asked (owner_id, id, restaurant_id)
    WHERE d.owner_id = asked.owner_id AND d.event = 'customer.created'
      AND (d.body::jsonb #>> '{data,id}')::bigint = asked.id
"""


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """What a delivery begins with; ``event_id`` is None where no stored event stands behind it."""

    owner_id: int
    endpoint_id: int
    event_id: int | None
    message_id: str
    event: str
    body: str


async def deliver(events: Sequence[StoredEvent]) -> None:
    """Queue a delivery of every event to every endpoint of its owner that wants it; repeats queue nothing twice.

    Paused endpoints and those of suspended owners get none.
    """
    rows = await sql.fetch(ENDPOINTS, list({event.owner_id for event in events}))
    endpoints: dict[int, list[tuple[int, list[str]]]] = {}
    for row in rows:
        endpoints.setdefault(row["owner_id"], []).append((row["id"], row["events"]))
    made: list[NewDelivery] = []
    for event in events:
        wanted_by = [id for id, patterns in endpoints.get(event.owner_id, ()) if matches(patterns, event.name)]
        if not wanted_by:
            continue
        data = orjson.Fragment(orjson.dumps(event.data))
        for endpoint_id in wanted_by:
            message_id = message_id_of(event.id, event.occurred_at, endpoint_id)
            text = body(message_id, event.name, event.occurred_at, data)
            made.append(NewDelivery(event.owner_id, endpoint_id, event.id, message_id, event.name, text))
    await queue(made, synchronous_commit="off")


async def forget(events: Sequence[StoredEvent]) -> None:
    """Take the erased customers out of the bodies that told of them, sent or not."""
    rows = [(event.owner_id, event.data["id"], event.data["restaurant_id"]) for event in events if event.name == ERASED]
    if rows:
        await sql.execute(FORGET, *map(list, zip(*rows, strict=True)))


async def queue(deliveries: Iterable[NewDelivery], synchronous_commit: str | None = None) -> None:
    """Store deliveries that are due at once, and wake the senders after the commit."""
    columns = list(zip(*map(astuple, deliveries), strict=True))
    if columns:
        await sql.execute(INSERT, *map(list, columns), clock.now(), synchronous_commit)
        announce()


def body(message_id: str, event: str, created_at: datetime, data: Mapping[str, object] | orjson.Fragment) -> str:
    """Write the JSON that is stored, signed and sent as it is. ``id`` stands first: redelivery exchanges it."""
    document = {"id": message_id, "event": event, "created_at": created_at, "data": data}
    return orjson.dumps(document).decode()


def announce() -> None:
    """Ring the senders once the open transaction has committed."""
    sql.after_commit(_ring)


def _ring() -> None:
    bells.ring(CHANNEL)
