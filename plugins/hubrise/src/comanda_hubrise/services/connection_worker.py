"""The worker of connections: finds orders whose callbacks were lost, and sends the menu and what is sold out.

Every few minutes two short lists are read, of orders that nobody has taken and of those that were cancelled: HubRise
keeps a callback that fails for about an hour, and then forgets it.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts import (
    ClaimedRow,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
    RowResult,
)
from comanda.platform.db import sql

from comanda_hubrise.client import HubRise, HubRiseInvalid, HubRiseUnavailable, open_client
from comanda_hubrise.records import KnownConnection
from comanda_hubrise.services import connection_rows, order_links, outbound, statuses
from comanda_hubrise.services.callbacks import is_id

CHECK_EVERY: Final = timedelta(minutes=5)
# Orders that were created longer ago are nobody's dinner any more.
LOOK_BACK: Final = timedelta(hours=24)
NEW: Final = "new"

TABLE: Final = QueueTable(
    "hubrise_connection",
    columns=("wakes",),
    # What has changed while the row was held is sent after another moment, in which more may change.
    done=f"""attempts = 0, leased_until = NULL, error = NULL,
        next_attempt_at = {{moment}} + CASE WHEN q.wakes > q.handled THEN interval '{outbound.GATHER.seconds} s'
            ELSE interval '{CHECK_EVERY.seconds} s' END""",
    error="error",
)
RETRIES: Final = RetrySchedule((30, 60, 120, 300, 600), repeats_last=True)
LIMITS: Final = QueueLimits(max_in_flight=10, max_per_owner=4, deadline_seconds=45.0)
SAVE_CHECKED: Final = "UPDATE hubrise_connection SET checked_at = $3 WHERE owner_id = $1 AND id = $2"
MARK_HANDLED: Final = """
    UPDATE hubrise_connection SET handled = greatest(handled, $3) WHERE owner_id = $1 AND id = $2
"""


async def process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    """Check connections, and send what has changed."""
    return [await _process(row) for row in rows]


async def _process(row: ClaimedRow) -> object:
    connection = await connection_rows.find_connection(row.owner_id, row.id)
    if connection is None:
        return RowResult.RELEASED  # deleted in this moment
    async with open_client(connection.credentials) as hubrise:
        # A menu changes more often than lists may be read at HubRise.
        if connection.checked_at is None or connection.checked_at <= clock.now() - CHECK_EVERY:
            await _check(hubrise, connection)
        try:
            await outbound.send_menu(hubrise, connection)
        except HubRiseInvalid as refusal:
            raise HubRiseUnavailable(f"The menu could not be sent. {refusal}") from refusal
    await sql.execute(MARK_HANDLED, row.owner_id, row.id, row.values["wakes"])
    return RowResult.DONE


async def _check(hubrise: HubRise, connection: KnownConnection) -> None:
    moment = clock.now()
    if connection.checked_at is None:
        await hubrise.register_callback(connection_rows.get_callback_url(connection.owner_id, connection.id))
    listed = await hubrise.list_orders(NEW, moment - LOOK_BACK)
    await order_links.create_missing(connection, [each["id"] for each in listed if is_id(each.get("id"))])
    cancelled = await hubrise.list_orders(statuses.CANCELLED, moment - LOOK_BACK)
    ids = [each["id"] for each in cancelled if is_id(each.get("id"))]
    await order_links.wake_changed(connection, ids, statuses.CANCELLED)
    await sql.execute(SAVE_CHECKED, connection.owner_id, connection.id, moment)


QUEUE: Final = LeasedQueue(connection_rows.CONNECTIONS, TABLE, QueueWork(process, LIMITS, retries=RETRIES))
