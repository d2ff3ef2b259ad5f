"""Publishes events: a row in the transaction that caused them, and a bell after it has committed."""

from typing import Final

from comanda import clock
from comanda.contracts.events import Event
from comanda.db import sql
from comanda.encoding import to_json
from comanda.tasks import notifier

CHANNEL: Final = "outbox"

# Due by the database's clock, which the dispatchers ask too: a process whose clock is ahead must not hold events back.
INSERT = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
    VALUES ($1, $2, $3, $4::jsonb, $5, now())
"""


async def publish(event: Event, *, owner_id: int, store_id: int | None = None) -> None:
    """Store an event in the open transaction; its handlers hear it at least once after the commit."""
    # Encoded as answers are, so that a time is written the same in a webhook as in the record it tells of.
    data = to_json(event.model_dump(by_alias=True)).decode()
    await sql.execute(INSERT, owner_id, store_id, event.name, data, clock.now())
    announce()


def announce() -> None:
    """Ring the dispatchers once the open transaction has committed."""
    sql.after_commit(_ring)


def _ring() -> None:
    notifier.notify(CHANNEL)
