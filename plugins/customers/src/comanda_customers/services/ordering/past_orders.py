"""The orders of a customer as the store's page lists them, with what is needed to order them again."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller
from comanda.orders import ORDER_COLUMNS, ORDER_LINES, Order, OrderLine, fold_combos, to_order
from comanda.platform.db import sql

from comanda_customers.records.customers import PastLine, PastOrder

MAX_ORDERS: Final = 20
# Tracking pages are gone 30 days after their order ended.
TRACKED_FOR: Final = timedelta(days=30)

SELECT_LATEST_ORDERS: Final = f"""
    SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order_v1 o
    WHERE o.customer_id = $1 AND o.owner_id = $2 AND o.store_id = $3 ORDER BY o.id DESC LIMIT $4
"""


async def list_orders(caller: Caller) -> Sequence[PastOrder]:
    """List the customer's latest orders, newest first, at most ``MAX_ORDERS``."""
    rows = await sql.fetch(
        SELECT_LATEST_ORDERS, caller.known_subject_id, caller.owner_id, caller.known_store_id, MAX_ORDERS
    )
    return [_to_past_order(to_order(row)) for row in rows]


def _to_past_order(order: Order) -> PastOrder:
    return PastOrder(
        number=order.number,
        type=order.type,
        status=order.status,
        placed_at=order.created_at,
        total_minor=order.total_minor,
        currency=order.currency,
        track_token=order.track_token if clock.now() - order.created_at < TRACKED_FOR else None,
        lines=[_to_past_line(line) for line in fold_combos(order.lines)],
    )


def _to_past_line(line: OrderLine) -> PastLine:
    return PastLine(
        item=line.item_id,
        variation=line.variant_id,
        extras=[extra["id"] for extra in line.extras for _ in range(extra.get("quantity", 1))],
        quantity=line.quantity,
        note=line.note or "",
        name=line.name,
        details=_describe_choices(line),
        unit_minor=line.unit_price_minor,
    )


def _describe_choices(line: OrderLine) -> str:
    variation = [line.variation["name"]] if line.variation is not None else []
    return ", ".join([*variation, *(extra["name"] for extra in line.extras)])
