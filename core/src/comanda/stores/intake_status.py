"""Intake status of a store: online, busy or paused, until a time at which it is online again.

No task runs at that time: readers compare it with the clock. The status is part of the cached store terms, so placing
an order needs no extra query.
"""

from datetime import datetime
from typing import Annotated, Final
from zoneinfo import ZoneInfo

import orjson
from pydantic import BaseModel, Field

from comanda.basics import clock
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts import opening_hours
from comanda.contracts.orders.intake_status import ONLINE, IntakeStatus, State
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.fields import Body, Count, Moment, ShortText, example
from comanda.platform.db import sql
from comanda.platform.events import outbox
from comanda.stores.events import IntakeChanged

MAX_DELAY_MINUTES: Final = 480

SELECT_STORE = "SELECT pace, hours, timezone FROM core_store WHERE id = $1 AND owner_id = $2"
UPDATE_INTAKE_STATUS = (
    "UPDATE core_store SET pace = $3, menu_version = menu_version + 1 WHERE id = $1 AND owner_id = $2"
)


class PaceBody(Body):
    """The intake status to set. Busy needs ``delay_minutes``; it ends at ``until`` or when the store closes."""

    model_config = example({"status": "busy", "delay_minutes": 15, "until": "2027-06-01T21:00:00+00:00"})

    status: State
    delay_minutes: Annotated[Count, Field(le=MAX_DELAY_MINUTES)] = 0
    until: Moment | None = None
    reason: ShortText | None = None


class BusyOut(BaseModel):
    """The intake status as guests see it; ``delay_minutes`` is how much longer than usual orders take."""

    status: State
    delay_minutes: int
    until: datetime | None


def parse_intake_status(stored: str | None) -> IntakeStatus:
    """Parse a store's column ``pace``."""
    if stored is None:
        return ONLINE
    document = orjson.loads(stored)
    until = document["until"]
    return IntakeStatus(
        status=State(document["status"]),
        delay_minutes=document["delay_minutes"],
        until=datetime.fromisoformat(until) if until else None,
        reason=document["reason"],
        source=document["source"],
    )


async def get_intake_status(caller: Caller, store_id: int) -> IntakeStatus:
    """Return the current intake status of the caller's store. Raises ``NotFound`` like ``require_store``."""
    return parse_intake_status((await _get_store(caller, store_id))["pace"]).at(clock.now())


@sql.transaction()
async def update_intake_status(caller: Caller, store_id: int, body: PaceBody) -> IntakeStatus:
    """Update a store's intake status and return it. Emits ``IntakeChanged``.

    It ends at the store's next closing time at the latest; for a closed store that is the end of its next opening.
    Raises ``NotFound`` like ``require_store``, and ``ValidationFailed`` for an ``until`` in the past or a busy status
    without a delay.
    """
    moment = clock.now()
    if body.status is State.BUSY and not body.delay_minutes:
        raise ValidationFailed(delay_minutes=[Sentence("Required for busy: by how many minutes orders take longer.")])
    if body.status is not State.ONLINE and body.until is not None and body.until <= moment:
        raise ValidationFailed(until=[Sentence("This time has passed.")])
    store = await _get_store(caller, store_id)
    status = ONLINE
    if body.status is not State.ONLINE:
        ends = [end for end in (body.until, _find_closing_time(store, moment)) if end is not None]
        delay = body.delay_minutes if body.status is State.BUSY else 0
        status = IntakeStatus(body.status, delay, min(ends, default=None), body.reason or None, caller.actor)
    await sql.execute(
        UPDATE_INTAKE_STATUS, store_id, caller.owner_id, None if status is ONLINE else orjson.dumps(status).decode()
    )
    event = IntakeChanged(
        restaurant_id=store_id, status=status.status, delay_minutes=status.delay_minutes, until=status.until
    )
    await outbox.publish(event, owner_id=caller.owner_id, store_id=store_id)
    return status


def _find_closing_time(store: sql.Row, moment: datetime) -> datetime | None:
    configured, zone = opening_hours.parse_hours(store["hours"]), ZoneInfo(store["timezone"])
    opens_at = configured.next_open_at(zone, moment) if configured else None
    return configured.closes_at(zone, opens_at) if configured and opens_at else None


async def _get_store(caller: Caller, store_id: int) -> sql.Row:
    row = await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if row is None:
        raise NotFound
    return row
