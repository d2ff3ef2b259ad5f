"""Orders, as those who take and serve them see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import key_header
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.orders import queries
from comanda.orders.idempotency import parse_keys
from comanda.orders.schemas import OrderOut, OrderSummary, StatusBody
from comanda.orders.status import set_status

from comanda_staff.api import STAFF_ONLY, Permission
from comanda_staff.services import orders

routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/staff/orders", scope=Permission.ORDERS, answers=Page[OrderSummary])
async def list_orders(caller: Caller, page: PageRequest, query: orders.StaffOrderFilter) -> dict[str, Any]:
    """List the store's orders, newest first, 30 per page, by ``status``, ``type``, ``since`` and ``table``."""
    return await orders.page_of_orders(caller, page, query)


@routes.get("/staff/orders/{orderId}", scope=Permission.ORDERS, answers=OrderOut)
async def show_order(caller: Caller, order_id: int) -> dict[str, Any]:
    """Show a whole order: lines with extras, totals, driver, timeline."""
    return await queries.find_order(caller, orders.store_of(caller), order_id)


@routes.post("/staff/orders", scope=Permission.ORDERS, answers=OrderOut, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Take an order at the table or counter, whether or not the store is open.

    With an ``Idempotency-Key`` or ``client_uuid`` seen before, it answers with that order.
    """
    placed = await orders.place(caller, body, parse_keys(call.headers, body))
    return placed.answer()


@routes.put("/staff/orders/{orderId}/status", scope=Permission.ORDERS, answers=OrderOut)
async def change_status(caller: Caller, order_id: int, body: StatusBody) -> dict[str, Any]:
    """Set the kitchen status; any status may follow any other, and the same one again changes nothing."""
    return await set_status(caller, orders.store_of(caller), order_id, body.status, body.note)
