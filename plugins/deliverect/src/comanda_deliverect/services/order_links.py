"""Orders of Deliverect as rows that wait for a worker: woken by webhooks and by what happens to the order here."""

from collections.abc import Collection
from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import require_store
from comanda_foreign_orders.api import LinkState

from comanda_deliverect.records import DeliverectOrder, KnownConnection, KnownLink
from comanda_deliverect.schemas import DeliverectOrderQuery

ORDERS: Final = "deliverect_orders"
"""The name of the queue."""
# A row that a worker holds keeps its attempt, or the worker could not save its result.
WAKE: Final = """wakes = o.wakes + 1, next_attempt_at = least(o.next_attempt_at, $3), dead_at = NULL,
    attempts = CASE WHEN o.leased_until > $3 THEN o.attempts ELSE 0 END"""
# An order that is cancelled stays so, in whatever order both arrive.
UPSERT_ORDER: Final = f"""
    INSERT INTO deliverect_order AS o (owner_id, store_id, connection_id, deliverect_id, state, document,
        is_cancelled, channel_order_id, wakes, next_attempt_at, created_at)
    VALUES ($1, $4, $2, $5, '{LinkState.WAITING}', $6, $7, nullif($8, ''), 1, $3, $3)
    ON CONFLICT (connection_id, deliverect_id, owner_id) DO UPDATE SET
        is_cancelled = o.is_cancelled OR EXCLUDED.is_cancelled, {WAKE}
"""
WAKE_ORDERS: Final = f"""
    UPDATE deliverect_order o SET {WAKE} FROM unnest($1::bigint[], $2::bigint[]) AS given (owner_id, order_id)
    WHERE o.owner_id = given.owner_id AND o.order_id = given.order_id
"""
SELECT_LINK: Final = """
    SELECT l.id, l.owner_id, l.store_id, l.connection_id, l.deliverect_id, l.state, l.document, l.is_cancelled,
        l.order_id, l.reason, l.sent_status, o.status, o.delivery_status
    FROM deliverect_order l LEFT JOIN core_order_v1 o ON o.id = l.order_id AND o.owner_id = l.owner_id
    WHERE l.owner_id = $1 AND l.id = $2
"""
LISTED: Final = "FROM deliverect_order WHERE owner_id = $1 AND store_id = $2 AND ($3::text IS NULL OR state = $3)"
SELECT_ORDERS: Final = f"""
    SELECT id, store_id, deliverect_id, channel_order_id, order_id, state, reason, sent_status AS status,
        error AS failure, created_at {LISTED} ORDER BY id DESC LIMIT $4 OFFSET $5
"""
COUNT_ORDERS: Final = f"SELECT count(*) {LISTED}"


async def store_order(
    connection: KnownConnection, deliverect_id: str, document: str, channel_order_id: str, *, is_cancelled: bool
) -> None:
    """Store an order that Deliverect has sent, and queue it."""
    values = (connection.owner_id, connection.id, clock.now(), connection.store_id)
    await sql.execute(UPSERT_ORDER, *values, deliverect_id, document, is_cancelled, channel_order_id)
    notifier.notify(ORDERS)


async def wake_orders(orders: Collection[tuple[int, int]]) -> None:
    """Queue a report to Deliverect on those of these orders, as owners and ids, that came from there."""
    owner_ids, order_ids = [owner_id for owner_id, _ in orders], [order_id for _, order_id in orders]
    if await sql.execute(WAKE_ORDERS, owner_ids, order_ids, clock.now()):
        notifier.notify(ORDERS)


async def find_link(owner_id: int, link_id: int) -> KnownLink | None:
    """Return an order of Deliverect with the statuses of the order here, or None."""
    row = await sql.fetch_one(SELECT_LINK, owner_id, link_id)
    return None if row is None else sql.to_record(KnownLink, row, state=LinkState(row["state"]))


async def list_orders(
    caller: Caller, store_id: int, query: DeliverectOrderQuery, page: PageRequest
) -> RecordPage[DeliverectOrder]:
    """List a store's orders of Deliverect, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    given = (caller.owner_id, store_id, query.state)

    async def count() -> int:
        return int(await sql.fetch_value(COUNT_ORDERS, *given))

    rows = await sql.fetch(SELECT_ORDERS, *given, page.size(), page.offset())
    records = [sql.to_record(DeliverectOrder, row, state=LinkState(row["state"])) for row in rows]
    return page.of(records, await page.get_total(rows, count))
