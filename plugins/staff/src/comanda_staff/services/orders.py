"""Orders as the people who serve them list and take them."""

from datetime import datetime
from typing import Annotated, Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.fields import Body, Moment, ShortText
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody, TableNumber
from comanda.contracts.order_status import Status
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.orders import placement, queries
from comanda.orders.draft import OrderChannel
from comanda.orders.idempotency import OrderKeys
from comanda.orders.placement import OWNER_CHANNEL
from comanda.orders.records import ORDER_COLUMNS, to_order_summary
from pydantic import Field

# Whoever stands in the store sees whether it is open.
CHANNEL: Final = OrderChannel("staff", "pos", OWNER_CHANNEL.limits)
PER_PAGE: Final = 30

MATCHING = """
    FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND ($3::text IS NULL OR o.status = $3)
        AND ($4::text IS NULL OR o.type = $4) AND ($5::timestamptz IS NULL OR o.created_at >= $5)
        AND ($6::text IS NULL OR o.table_number = $6)
"""
PAGE = f"SELECT {ORDER_COLUMNS} {MATCHING} ORDER BY o.id DESC LIMIT $7 OFFSET $8"
COUNT = f"SELECT count(*) {MATCHING}"


class StaffOrderFilter(Body):
    """Which orders to list: of a kitchen ``status``, a ``type``, placed ``since`` a time, for a ``table``."""

    status: str | None = None
    type: Annotated[ShortText, Field(max_length=30)] | None = None
    since: Moment | None = None
    table: TableNumber | None = None


async def page_of_orders(caller: Caller, page: PageRequest, wanted: StaffOrderFilter) -> dict[str, Any]:
    """List the store's orders, newest first. Raises ``ValidationFailed`` for a status that is none."""
    store_id = store_of(caller)
    if wanted.type is None and wanted.since is None and wanted.table is None:
        # The common lists have their totals counted already.
        return await queries.list_orders(caller, store_id, page, wanted.status)
    if wanted.status is not None and wanted.status not in set(Status):
        raise ValidationFailed(status=[f"Must be one of: {', '.join(Status)}."])
    matching: tuple[int, int, str | None, str | None, datetime | None, str | None] = (
        store_id, caller.owner_id, wanted.status, wanted.type, wanted.since, wanted.table,
    )  # fmt: skip
    rows = await sql.fetch(PAGE, *matching, page.size(PER_PAGE), page.offset(PER_PAGE))
    total = await sql.fetch_value(COUNT, *matching)
    return page.envelope([to_order_summary(row) for row in rows], total, PER_PAGE)


async def place(caller: Caller, body: Unvalidated[OrderBody], keys: OrderKeys) -> IdempotentResult:
    """Take an order at the table or at the counter. Repeats, refusals and events are those of any order."""
    return await placement.place_order(caller, CHANNEL, store_of(caller), body, keys)


def store_of(caller: Caller) -> int:
    """Return the store that a member of staff works in."""
    if caller.store_id is None:
        raise NotFound
    return caller.store_id
