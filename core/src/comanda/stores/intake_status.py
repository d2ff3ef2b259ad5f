"""How a store keeps up with its orders: online, busy or paused, until a time at which it goes back to online by itself.

Nothing runs at that time: whoever reads the pace compares it with the clock. It is part of the terms that processes
keep with the menu, so that an order costs no question more.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import orjson
from pydantic import BaseModel, Field

from comanda import clock
from comanda.contracts import opening_hours
from comanda.contracts.callers import Caller
from comanda.contracts.fields import Body, Count, Moment, ShortText, example
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

MAX_DELAY_MINUTES: Final = 480

FIND = "SELECT pace, hours, timezone FROM core_store WHERE id = $1 AND owner_id = $2"
SAVE = "UPDATE core_store SET pace = $3, menu_version = menu_version + 1 WHERE id = $1 AND owner_id = $2"


class State(StrEnum):
    """Online takes orders as ever, busy takes longer for them, paused takes none from guests."""

    ONLINE = "online"
    BUSY = "busy"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Pace:
    """What was said of a store, by ``source``, an actor such as ``staff:7``; without ``until`` it holds for good."""

    status: State
    delay_minutes: int = 0
    until: datetime | None = None
    reason: str | None = None
    source: str | None = None

    def at(self, moment: datetime) -> "Pace":
        """Return the pace at a moment: this, or online where it is over by then."""
        return self if self.until is None or moment < self.until else ONLINE


ONLINE: Final = Pace(State.ONLINE)


class PaceBody(Body):
    """How a store keeps up. Busy needs ``delay_minutes``; ``until`` ends it, or the store's closing before that."""

    model_config = example({"status": "busy", "delay_minutes": 15, "until": "2027-06-01T21:00:00+00:00"})

    status: State
    delay_minutes: Annotated[Count, Field(le=MAX_DELAY_MINUTES)] = 0
    until: Moment | None = None
    reason: ShortText | None = None


class BusyOut(BaseModel):
    """How a store keeps up, as its guests are told: ``delay_minutes`` is what orders take longer than usual."""

    status: State
    delay_minutes: int
    until: datetime | None


def parse_intake_status(stored: str | None) -> Pace:
    """Make the pace from the text of a store's column ``pace``."""
    if stored is None:
        return ONLINE
    document = orjson.loads(stored)
    until = document["until"]
    return Pace(
        status=State(document["status"]),
        delay_minutes=document["delay_minutes"],
        until=datetime.fromisoformat(until) if until else None,
        reason=document["reason"],
        source=document["source"],
    )


def busy_record(pace: Pace) -> dict[str, Any]:
    """Make what guests are told."""
    return {"status": pace.status, "delay_minutes": pace.delay_minutes, "until": pace.until}


async def get_intake_status(caller: Caller, store_id: int) -> Pace:
    """Return the pace of the caller's store now. Raises ``NotFound`` like ``require_store``."""
    return parse_intake_status((await _find(caller, store_id))["pace"]).at(clock.now())


@sql.transaction()
async def update_intake_status(caller: Caller, store_id: int, body: PaceBody) -> Pace:
    """Say how a store keeps up from now on, and return that.

    It ends at the store's next closing if not before; a store that is closed goes back to online at the end of its next
    opening. Raises ``NotFound`` like ``require_store``, ``ValidationFailed`` for an ``until`` that has passed and
    for busy without a delay.
    """
    moment = clock.now()
    if body.status is State.BUSY and not body.delay_minutes:
        raise ValidationFailed(delay_minutes=["Tell by how many minutes orders take longer."])
    if body.status is not State.ONLINE and body.until is not None and body.until <= moment:
        raise ValidationFailed(until=["This time has passed."])
    store = await _find(caller, store_id)
    made = ONLINE
    if body.status is not State.ONLINE:
        ends = [end for end in (body.until, _closing(store, moment)) if end is not None]
        delay = body.delay_minutes if body.status is State.BUSY else 0
        made = Pace(body.status, delay, min(ends, default=None), body.reason or None, caller.actor)
    await sql.execute(SAVE, store_id, caller.owner_id, None if made is ONLINE else orjson.dumps(made).decode())
    return made


def _closing(store: sql.Row, moment: datetime) -> datetime | None:
    configured, zone = opening_hours.parse_hours(store["hours"]), ZoneInfo(store["timezone"])
    opens_at = configured.next_open_at(zone, moment) if configured else None
    return configured.closes_at(zone, opens_at) if configured and opens_at else None


async def _find(caller: Caller, store_id: int) -> sql.Row:
    row = await sql.fetch_one(FIND, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if row is None:
        raise NotFound
    return row
