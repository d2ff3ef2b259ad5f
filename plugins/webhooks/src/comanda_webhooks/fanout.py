"""Turns events into deliveries: one row for each endpoint that wants the event, its body serialised once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Final

import orjson
from comanda import clock, runtime
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.events.personal_data import hide_personal_data
from comanda.orders import erasure
from comanda.tasks import notifier

from comanda_webhooks.matching import matches
from comanda_webhooks.signing import message_id_of

CHANNEL: Final = "webhooks"

ENDPOINTS = """
    SELECT e.id, e.owner_id, e.events, e.scopes FROM webhooks_endpoint e JOIN core_owner o ON o.id = e.owner_id
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
    endpoints: dict[int, list[sql.Row]] = {}
    for row in rows:
        endpoints.setdefault(row["owner_id"], []).append(row)
    wanted: list[tuple[StoredEvent, list[sql.Row]]] = []
    for event in events:
        wanted_by = [row for row in endpoints.get(event.owner_id, ()) if matches(row["events"], event.name)]
        if wanted_by:
            wanted.append((event, wanted_by))
    if not any(_tells_of_people(event) for event, _ in wanted):
        await queue(_bodies(wanted), synchronous_commit="off")
        return
    async with sql.transaction():
        # Somebody whom these tell of may have been erased since they were claimed.
        await erasure.lock_for_copying()
        fresh = await erasure.reload_events([event for event, _ in wanted])
        await queue(_bodies(zip(fresh, (rows for _, rows in wanted), strict=True)), synchronous_commit="off")


async def queue(deliveries: Iterable[NewDelivery], synchronous_commit: str | None = None) -> None:
    """Store deliveries that are due at once, and wake the senders after the commit."""
    columns = list(zip(*map(astuple, deliveries), strict=True))
    if columns:
        await sql.execute(INSERT, *map(list, columns), clock.now(), synchronous_commit)
        announce()


def _tells_of_people(event: StoredEvent) -> bool:
    kind = runtime.registry().events.get(event.name)
    return kind is not None and bool(kind.personal)


def _bodies(wanted: Iterable[tuple[StoredEvent, list[sql.Row]]]) -> Iterator[NewDelivery]:
    known = runtime.registry().events
    for event, endpoints in wanted:
        whole: orjson.Fragment | None = None
        for endpoint in endpoints:
            # Endpoints see the same but for personal data, so most events are encoded once.
            visible = hide_personal_data(known.get(event.name), event.data, endpoint["scopes"])
            if visible is event.data:
                data = whole = whole or orjson.Fragment(orjson.dumps(event.data))
            else:
                data = orjson.Fragment(orjson.dumps(visible))
            message_id = message_id_of(event.id, event.occurred_at, endpoint["id"])
            text = body(message_id, event.name, event.occurred_at, data)
            yield NewDelivery(event.owner_id, endpoint["id"], event.id, message_id, event.name, text)


def body(message_id: str, event: str, created_at: datetime, data: Mapping[str, object] | orjson.Fragment) -> str:
    """Write the JSON that is stored, signed and sent as it is. ``id`` stands first: redelivery exchanges it."""
    document = {"id": message_id, "event": event, "created_at": created_at, "data": data}
    return orjson.dumps(document).decode()


def announce() -> None:
    """Ring the senders once the open transaction has committed."""
    sql.after_commit(_ring)


def _ring() -> None:
    notifier.notify(CHANNEL)
