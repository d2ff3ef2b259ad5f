"""The worker of connections: what cannot be ordered here is not sold at Deliverect, and a pause here is one there.

It compares what is with what Deliverect was told, and saves each thing that it tells: a process that dies tells at most
one thing twice, which changes nothing there. What Deliverect refuses is not told for ever, such as a product that it
does not have; where it does not answer it is told later.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import orjson
from comanda.basics import clock
from comanda.contracts import (
    ClaimedRow,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
    RowResult,
    State,
)
from comanda.platform.db import sql

from comanda_deliverect.client import Deliverect, DeliverectInvalid, open_client
from comanda_deliverect.records import KnownConnection
from comanda_deliverect.services import connections, menus
from comanda_deliverect.services.availability import list_due, list_ends

# Stock also changes without an event.
CHECK_EVERY: Final = timedelta(minutes=5)
MAX_PLUS: Final = 100
# Of one turn; the rest has another one at once.
MAX_REQUESTS: Final = 20
MAX_REFUSAL: Final = 500

TABLE: Final = QueueTable(
    "deliverect_connection",
    columns=("wakes",),
    # What has changed while the row was held is told after another moment, in which more may change.
    done=f"""attempts = 0, leased_until = NULL, error = NULL,
        next_attempt_at = least(q.changes_at, {{moment}} + CASE WHEN q.wakes > q.handled
            THEN interval '{connections.GATHER.seconds} s' ELSE interval '{CHECK_EVERY.seconds} s' END)""",
    error="error",
)
RETRIES: Final = RetrySchedule((30, 60, 120, 300, 600), repeats_last=True)
LIMITS: Final = QueueLimits(max_in_flight=10, max_per_owner=4, deadline_seconds=45.0)
# A connection may go to another location while a worker tells this one.
SAVE_PAUSE: Final = """
    UPDATE deliverect_connection SET is_paused = $4 WHERE owner_id = $1 AND id = $2 AND location_id = $3
"""
SAVE_SNOOZED: Final = """
    UPDATE deliverect_connection SET snoozed = snoozed || $4::jsonb WHERE owner_id = $1 AND id = $2 AND location_id = $3
"""
# What the menu has no longer is forgotten.
MARK_HANDLED: Final = """
    UPDATE deliverect_connection SET handled = greatest(handled, $3), changes_at = $4, snoozed = snoozed - $5::text[],
        refusal = CASE WHEN $6 THEN nullif($7, '') ELSE refusal END
    WHERE owner_id = $1 AND id = $2
"""


async def process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    """Send Deliverect what has changed."""
    return [await _process(row) for row in rows]


async def _process(row: ClaimedRow) -> object:
    connection = await connections.find_connection(row.owner_id, row.id)
    menu = None if connection is None else await menus.find_menu(connection)
    if connection is None or menu is None:
        return RowResult.RELEASED  # deleted in this moment
    moment = clock.now()
    ends, pace = list_ends(menu, moment), menu.terms.pace.at(moment)
    is_paused = pace.status is State.PAUSED
    due = list_due(ends, connection.snoozed, moment)
    requests = [(end, plus[at : at + MAX_PLUS]) for end, plus in due.items() for at in range(0, len(plus), MAX_PLUS)]
    refusals: list[str] = []
    async with open_client(connection.credentials) as deliverect:
        if is_paused != connection.is_paused:
            refusals += await _send_pause(deliverect, connection, is_paused=is_paused)
        for end, plus in requests[:MAX_REQUESTS]:
            refusals += await _send_end(deliverect, connection, plus, end, moment)
    turns = [turn for turn in (menu.valid_until, pace.until) if turn is not None]
    changes_at = moment if len(requests) > MAX_REQUESTS else min(turns, default=None)
    gone = [plu for plu in connection.snoozed if plu not in ends]
    is_told = bool(requests) or is_paused != connection.is_paused
    values = (row.values["wakes"], changes_at, gone, is_told, " ".join(refusals)[:MAX_REFUSAL])
    await sql.execute(MARK_HANDLED, row.owner_id, row.id, *values)
    return RowResult.DONE


async def _send_pause(deliverect: Deliverect, connection: KnownConnection, *, is_paused: bool) -> list[str]:
    """Send whether the store is paused, and return what Deliverect did not take."""
    refusals: list[str] = []
    try:
        await deliverect.update_store_status(connection.location_id, is_active=not is_paused)
    except DeliverectInvalid as error:
        what = "takes no orders" if is_paused else "takes orders again"
        refusals.append(f"Deliverect does not take that the store {what}: {error}")
    await sql.execute(SAVE_PAUSE, connection.owner_id, connection.id, connection.location_id, is_paused)
    return refusals


async def _send_end(
    deliverect: Deliverect, connection: KnownConnection, plus: Sequence[str], end: datetime, moment: datetime
) -> list[str]:
    """Send until when products are not sold, and return what Deliverect did not take.

    It refuses to end what is not snoozed there, which is all right.
    """
    refusals: list[str] = []
    try:
        await deliverect.snooze_products(connection.account_id, connection.location_id, plus, end)
    except DeliverectInvalid as error:
        if end > moment:
            refusals.append(f"Deliverect does not take that these are sold out: {', '.join(plus)}: {error}")
    told = orjson.dumps(dict.fromkeys(plus, end)).decode()
    await sql.execute(SAVE_SNOOZED, connection.owner_id, connection.id, connection.location_id, told)
    return refusals


QUEUE: Final = LeasedQueue(connections.CONNECTIONS, TABLE, QueueWork(process, LIMITS, retries=RETRIES))
