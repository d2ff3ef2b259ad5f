"""Orders of the store, for its staff."""

from typing import Any

from comanda.contracts import Answer, Call, Caller, OrderBody, Page, PageRequest, Routes, Unvalidated, key_header
from comanda.orders import (
    OrderOut,
    OrderSummary,
    QuoteOut,
    StatusBody,
    parse_keys,
    queries,
    set_status,
    to_order_json,
    to_order_page_json,
    to_quote_json,
)
from comanda.web import translate_errors

from comanda_staff.api import STAFF_ONLY, Permission
from comanda_staff.schemas.orders import StaffOrderFilter
from comanda_staff.services import orders

routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/staff/orders", scope=Permission.ORDERS, answers=Page[OrderSummary])
async def list_orders(caller: Caller, page: PageRequest, query: StaffOrderFilter) -> dict[str, Any]:
    """List the store's orders, newest first, 30 per page, by ``status``, ``type``, ``since``, ``table``, ``is_due``."""
    return to_order_page_json(await orders.list_orders(caller, page, query))


@routes.get("/staff/orders/{orderId}", scope=Permission.ORDERS, answers=OrderOut)
async def get_order(caller: Caller, order_id: int) -> dict[str, Any]:
    """Return an order with its lines, extras, totals, driver and timeline."""
    return to_order_json(await queries.find_order(caller, caller.known_store_id, order_id))


@routes.post("/staff/orders", scope=Permission.ORDERS, answers=OrderOut, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an order at the table or counter, whether or not the store is open.

    An ``Idempotency-Key`` or ``client_uuid`` that was used before returns the earlier order.
    """
    with translate_errors(call.headers):
        placed = await orders.place_order(caller, body, parse_keys(call.headers, body))
    return placed.answer(to_order_json)


@routes.post("/staff/orders/quote", scope=Permission.ORDERS, status=200, answers=QuoteOut, is_read_only=True)
async def quote_order(caller: Caller, call: Call, body: OrderBody) -> dict[str, Any]:
    """Quote an order; nothing is written."""
    with translate_errors(call.headers):
        return to_quote_json(await orders.quote_order(caller, body))


@routes.put("/staff/orders/{orderId}/status", scope=Permission.ORDERS, answers=OrderOut)
async def update_status(caller: Caller, order_id: int, body: StatusBody) -> dict[str, Any]:
    """Update the kitchen status; any status may follow any other, and setting the same one again changes nothing."""
    updated = await set_status(caller, caller.known_store_id, order_id, body.status, body.note)
    return to_order_json(updated)
