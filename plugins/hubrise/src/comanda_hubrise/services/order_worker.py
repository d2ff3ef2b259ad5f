"""The worker of orders: reads each at HubRise, places or rejects it, and sends what becomes of it.

One worker at a time holds an order, reads its status of this moment here and there, and sends only that one: statuses
are never out of order, and what was missed in between does not matter.
"""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import (
    ClaimedRow,
    DeadLetters,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
    RowResult,
)
from comanda.platform.db import sql
from comanda_foreign_orders.api import LinkState

from comanda_hubrise.client import HubRise, HubRiseInvalid, open_client
from comanda_hubrise.records import KnownConnection, KnownLink
from comanda_hubrise.services import connection_rows, intake, order_links, statuses

TABLE: Final = QueueTable(
    "hubrise_order",
    columns=("wakes",),
    share_by="connection_id",
    # What has happened while the row was held has it looked at again.
    done="""attempts = 0, leased_until = NULL, error = NULL,
        next_attempt_at = CASE WHEN q.wakes > q.handled THEN {moment} END""",
    error="error",
    dead_at="dead_at",
)
RETRIES: Final = RetrySchedule((5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600))
LIMITS: Final = QueueLimits(max_in_flight=20, max_per_owner=8, max_per_share=4, deadline_seconds=25.0)
MARK_HANDLED: Final = """
    UPDATE hubrise_order SET handled = greatest(handled, $3) WHERE owner_id = $1 AND id = $2
"""
SAVE_GONE: Final = f"""
    UPDATE hubrise_order SET reason = $3, seen_status = NULL,
        state = CASE WHEN state = '{LinkState.WAITING}' THEN '{LinkState.IGNORED}' ELSE state END
    WHERE owner_id = $1 AND id = $2
"""


async def process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    """Bring orders up to date, here and at HubRise."""
    return [await _process(row) for row in rows]


async def _process(row: ClaimedRow) -> object:
    link = await order_links.find_link(row.owner_id, row.id)
    connection = None if link is None else await connection_rows.find_connection(link.owner_id, link.connection_id)
    if link is None or connection is None:
        return RowResult.RELEASED  # deleted with its connection in this moment
    async with open_client(connection.credentials) as hubrise:
        try:
            await _synchronize(hubrise, connection, link)
        except HubRiseInvalid as refusal:
            await sql.execute(SAVE_GONE, link.owner_id, link.id, str(refusal))
    await sql.execute(MARK_HANDLED, row.owner_id, row.id, row.values["wakes"])
    return RowResult.DONE


async def _synchronize(hubrise: HubRise, connection: KnownConnection, link: KnownLink) -> None:
    document = await hubrise.get_order(link.hubrise_id)
    if link.state is LinkState.WAITING:
        await intake.decide(connection, link, document)
        # HubRise takes a status whatever it has itself, so it is read again: a guest may have cancelled meanwhile.
        link, document = await _reload(link), await hubrise.get_order(link.hubrise_id)
    await statuses.follow(link, document)
    link = await _reload(link)
    await statuses.send(hubrise, link, document)


async def _reload(link: KnownLink) -> KnownLink:
    return await order_links.find_link(link.owner_id, link.id) or link


QUEUE: Final = LeasedQueue(
    order_links.ORDERS, TABLE, QueueWork(process, LIMITS, retries=RETRIES), DeadLetters("q.state")
)
