"""The event handler: queues a delivery of each event to every endpoint that subscribes to it."""

from collections.abc import Iterable, Iterator, Sequence

import orjson
from comanda.contracts import StoredEvent, is_granted
from comanda.orders import erasure
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.events import hide_personal_data

from comanda_webhooks.services import delivery_queue
from comanda_webhooks.services.delivery_queue import NewDelivery
from comanda_webhooks.services.event_patterns import matches
from comanda_webhooks.services.signatures import derive_message_id

SELECT_ACTIVE_ENDPOINTS = """
    SELECT e.id, e.owner_id, e.events, e.scopes, e.plugin, e.name_key, e.excluded_events
    FROM webhooks_endpoint e JOIN core_owner_v1 o ON o.id = e.owner_id
    WHERE e.owner_id = ANY($1::bigint[]) AND NOT e.is_paused AND e.deleted_at IS NULL AND NOT o.is_suspended
"""


async def deliver_events(events: Sequence[StoredEvent]) -> None:
    """Queue a delivery of every event to every subscribed endpoint of its owner. A repeated event is queued only once.

    Endpoints that are paused or whose owner is suspended get none.
    """
    rows = await sql.fetch(SELECT_ACTIVE_ENDPOINTS, list({event.owner_id for event in events}))
    endpoints: dict[int, list[sql.Row]] = {}
    for row in rows:
        endpoints.setdefault(row["owner_id"], []).append(row)
    matching: list[tuple[StoredEvent, list[sql.Row]]] = []
    for event in events:
        subscribed = [row for row in endpoints.get(event.owner_id, ()) if _receives(row, event.name)]
        if subscribed:
            matching.append((event, subscribed))
    if not any(_has_personal_data(event) for event, _ in matching):
        await delivery_queue.queue_deliveries(_to_deliveries(matching), synchronous_commit="off")
        return
    async with sql.transaction():
        # A person in these events may have been erased since the events were claimed.
        await erasure.lock_for_copying()
        fresh = await erasure.reload_events([event for event, _ in matching])
        await delivery_queue.queue_deliveries(
            _to_deliveries(zip(fresh, (rows for _, rows in matching), strict=True)), synchronous_commit="off"
        )


def _receives(endpoint: sql.Row, name: str) -> bool:
    """Return whether an endpoint receives an event: one of a plugin needs the event's scope too."""
    if not matches(endpoint["events"], name) or matches(endpoint["excluded_events"], name):
        return False
    kind = runtime.registry().events.get(name)
    return endpoint["plugin"] is None or (kind is not None and is_granted(endpoint["scopes"], kind.scope))


def _has_personal_data(event: StoredEvent) -> bool:
    kind = runtime.registry().events.get(event.name)
    return kind is not None and bool(kind.personal)


def _to_deliveries(matching: Iterable[tuple[StoredEvent, list[sql.Row]]]) -> Iterator[NewDelivery]:
    known = runtime.registry().events
    for event, endpoints in matching:
        whole: orjson.Fragment | None = None
        for endpoint in endpoints:
            # The bodies differ only in personal data, so most events are encoded once.
            visible = hide_personal_data(known.get(event.name), event.data, endpoint["scopes"])
            if visible is event.data:
                data = whole = whole or orjson.Fragment(orjson.dumps(event.data))
            else:
                data = orjson.Fragment(orjson.dumps(visible))
            message_id = derive_message_id(event.id, event.occurred_at, endpoint["id"])
            text = delivery_queue.encode_body(message_id, event.name, event.occurred_at, data, endpoint["name_key"])
            yield NewDelivery(event.owner_id, endpoint["id"], event.id, message_id, event.name, text)
