"""The worker of orders: places or rejects each, cancels what the channel cancels, and sends what becomes of it.

One worker at a time holds an order, reads its status of this moment and sends only that one: statuses are never out of
order, and what was missed in between does not matter.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import orjson
from comanda.basics import ValidationFailed, clock
from comanda.contracts import (
    ClaimedRow,
    DeadLetters,
    DeliveryStatus,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
    RowResult,
    Status,
)
from comanda.orders import set_status
from comanda.platform.db import sql
from comanda_foreign_orders.api import ForeignId, LinkState, create_caller, take_order

from comanda_deliverect.client import DeliverectInvalid, open_client
from comanda_deliverect.participant import CHANNEL
from comanda_deliverect.records import KnownConnection, KnownLink
from comanda_deliverect.services import connections, order_links
from comanda_deliverect.services.documents import parse_order

CANCELLED: Final = 110
FAILED: Final = 120
# Accepted, preparing, ready for pickup, finalized. An order that is here is accepted.
STATUSES: Final[Mapping[str, int]] = {
    Status.NEW: 20,
    Status.PREPARING: 50,
    Status.READY: 70,
    Status.DELIVERED: 90,
    Status.COMPLETED: 90,
    Status.CANCELLED: CANCELLED,
}
# In delivery. Deliverect has no status of a delivery that failed.
DELIVERY_STATUSES: Final[Mapping[str, int]] = {
    DeliveryStatus.PICKED_UP: 80,
    DeliveryStatus.OUT_FOR_DELIVERY: 80,
    DeliveryStatus.DELIVERED: 90,
}
OPEN_STATUSES: Final = frozenset({Status.NEW, Status.PREPARING, Status.READY})
CANCELLED_BY_CHANNEL: Final = "The channel has cancelled it."
MAX_REASON: Final = 500

TABLE: Final = QueueTable(
    "deliverect_order",
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
DECIDE: Final = f"""
    UPDATE deliverect_order SET state = $3, reason = $4, document = NULL
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}'
"""
SAVE_REASON: Final = "UPDATE deliverect_order SET reason = $3 WHERE owner_id = $1 AND id = $2"
SAVE_SENT: Final = """
    UPDATE deliverect_order SET sent_status = $3, reason = coalesce($4, reason) WHERE owner_id = $1 AND id = $2
"""
MARK_HANDLED: Final = """
    UPDATE deliverect_order SET handled = greatest(handled, $3) WHERE owner_id = $1 AND id = $2
"""


async def process(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    """Update orders, here and at Deliverect."""
    return [await _process(row) for row in rows]


async def _process(row: ClaimedRow) -> object:
    link = await order_links.find_link(row.owner_id, row.id)
    connection = None if link is None else await connections.find_connection(link.owner_id, link.connection_id)
    if link is None or connection is None:
        return RowResult.RELEASED  # deleted with its connection in this moment
    if link.state is LinkState.WAITING:
        await _decide(link)
        link = await order_links.find_link(link.owner_id, link.id) or link
    if link.is_cancelled and link.order_id is not None and link.status in OPEN_STATUSES:
        await _cancel(link, link.order_id)
        link = await order_links.find_link(link.owner_id, link.id) or link
    await _send(connection, link)
    await sql.execute(MARK_HANDLED, row.owner_id, row.id, row.values["wakes"])
    return RowResult.DONE


async def _decide(link: KnownLink) -> None:
    """Place an order, or save why not."""
    if link.is_cancelled:
        await sql.execute(DECIDE, link.owner_id, link.id, LinkState.IGNORED, CANCELLED_BY_CHANNEL)
        return
    document: Mapping[str, Any] = orjson.loads(link.document or "{}")
    foreign = ForeignId(link.owner_id, link.store_id, link.id, link.deliverect_id)
    refusal = await take_order(CHANNEL, foreign, partial(parse_order, document))
    if refusal is not None:
        await sql.execute(DECIDE, link.owner_id, link.id, LinkState.REJECTED, refusal)


async def _cancel(link: KnownLink, order_id: int) -> None:
    caller, note = create_caller(CHANNEL, link.owner_id, link.store_id), CANCELLED_BY_CHANNEL
    try:
        await set_status(caller, link.store_id, order_id, Status.CANCELLED, note)
    except ValidationFailed as refusal:
        note = f"{note} It could not be cancelled here: {refusal.message}"
    await sql.execute(SAVE_REASON, link.owner_id, link.id, note[:MAX_REASON])


async def _send(connection: KnownConnection, link: KnownLink) -> None:
    """Send Deliverect the status of an order, unless it has it."""
    wanted = get_wanted_status(link)
    if wanted is None or wanted == link.sent_status:
        return
    moment = clock.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    receipt = str(link.order_id or link.deliverect_id)
    changes = {"status": wanted, "receiptId": receipt, "reason": link.reason or "", "timeStamp": moment}
    note = None
    async with open_client(connection.credentials) as deliverect:
        try:
            await deliverect.update_order_status(link.deliverect_id, changes)
        except DeliverectInvalid as refusal:
            note = f"Deliverect does not take the status {wanted}: {refusal}"
    await sql.execute(SAVE_SENT, link.owner_id, link.id, wanted, note)


def get_wanted_status(link: KnownLink) -> int | None:
    """Return what Deliverect should have of an order, None while there is nothing to say."""
    if link.state is LinkState.REJECTED:
        return FAILED
    if link.state is LinkState.IGNORED:
        return CANCELLED
    if link.status is None:
        return None
    if link.status != Status.CANCELLED and link.delivery_status is not None:
        return DELIVERY_STATUSES.get(link.delivery_status, STATUSES[link.status])
    return STATUSES[link.status]


QUEUE: Final = LeasedQueue(
    order_links.ORDERS, TABLE, QueueWork(process, LIMITS, retries=RETRIES), DeadLetters("q.state")
)
