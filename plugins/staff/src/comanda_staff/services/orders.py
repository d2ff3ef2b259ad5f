"""Orders of a store as its staff list and place them."""

from datetime import datetime
from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_status import Status
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.orders import placement, queries
from comanda.orders.draft import OrderChannel
from comanda.orders.idempotency import OrderKeys
from comanda.orders.placement import OWNER_CHANNEL
from comanda.orders.records import ORDER_COLUMNS, to_order_summary

from comanda_staff.schemas.orders import StaffOrderFilter

# Staff may place orders outside opening hours.
STAFF_CHANNEL: Final = OrderChannel("staff", "pos", OWNER_CHANNEL.limits)
PER_PAGE: Final = 30

FROM_MATCHING_ORDERS = """
    FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND ($3::text IS NULL OR o.status = $3)
        AND ($4::text IS NULL OR o.type = $4) AND ($5::timestamptz IS NULL OR o.created_at >= $5)
        AND ($6::text IS NULL OR o.table_number = $6)
"""
SELECT_ORDERS = f"SELECT {ORDER_COLUMNS} {FROM_MATCHING_ORDERS} ORDER BY o.id DESC LIMIT $7 OFFSET $8"
COUNT_ORDERS = f"SELECT count(*) {FROM_MATCHING_ORDERS}"


async def list_orders(caller: Caller, page: PageRequest, query: StaffOrderFilter) -> dict[str, Any]:
    """List the store's orders, newest first. Raises ``ValidationFailed`` for an unknown status."""
    store_id = get_store_id(caller)
    if query.type is None and query.since is None and query.table is None:
        # The totals of these lists are maintained by core.
        return await queries.list_orders(caller, store_id, page, query.status)
    if query.status is not None and query.status not in set(Status):
        raise ValidationFailed(status=[f"Must be one of: {', '.join(Status)}."])
    matching: tuple[int, int, str | None, str | None, datetime | None, str | None] = (
        store_id, caller.owner_id, query.status, query.type, query.since, query.table,
    )  # fmt: skip
    rows = await sql.fetch(SELECT_ORDERS, *matching, page.size(PER_PAGE), page.offset(PER_PAGE))
    total = await sql.fetch_value(COUNT_ORDERS, *matching)
    return page.envelope([to_order_summary(row) for row in rows], total, PER_PAGE)


async def place_order(caller: Caller, body: Unvalidated[OrderBody], keys: OrderKeys) -> IdempotentResult:
    """Place an order at the table or counter; idempotency, errors and events are those of every order."""
    return await placement.place_order(caller, STAFF_CHANNEL, get_store_id(caller), body, keys)


def get_store_id(caller: Caller) -> int:
    """Return the store that a member of staff works in."""
    if caller.store_id is None:
        raise NotFound
    return caller.store_id
