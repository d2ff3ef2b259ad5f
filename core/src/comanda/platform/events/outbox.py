"""Publication of events: a row in the transaction that causes them, and a notification after its commit."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import clock
from comanda.basics.encoding import to_json
from comanda.contracts.background.events import Event
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

CHANNEL: Final = "outbox"

# Due by the clock of the database, which dispatchers use too: a process with a fast clock must not delay events.
INSERT_EVENT = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
    VALUES ($1, $2, $3, $4::jsonb, $5, now())
"""
INSERT_EVENTS = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
    SELECT $1, $2, $3, each.data::jsonb, $5, now() FROM unnest($4::text[]) WITH ORDINALITY AS each(data, position)
    ORDER BY each.position
"""


async def publish(event: Event, *, owner_id: int, store_id: int | None = None) -> None:
    """Publish an event in the open transaction; its handlers receive it at least once after the commit."""
    await sql.execute(INSERT_EVENT, owner_id, store_id, event.name, encode(event), clock.now())
    notify_dispatchers(store_id)


async def publish_all(events: Sequence[Event], *, owner_id: int, store_id: int | None = None) -> None:
    """Publish events of one kind in their order, with one statement; see ``publish``."""
    if events:
        data = [encode(event) for event in events]
        await sql.execute(INSERT_EVENTS, owner_id, store_id, events[0].name, data, clock.now())
        notify_dispatchers(store_id)


def encode(event: Event) -> str:
    """Return an event's data as they are stored, encoded like answers: times look the same in webhooks and the API."""
    return to_json(event.model_dump(by_alias=True)).decode()


def notify_dispatchers(store_id: int | None) -> bool:
    """Notify the dispatchers, and what shows the store, once the open transaction has committed.

    Return whether nothing else has been published in it.
    """
    is_first = notifier.notify_first(CHANNEL)
    if store_id is not None:
        notifier.announce_change(store_id)
    return is_first
