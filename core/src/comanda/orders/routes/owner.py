"""Routes of orders for owners."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.fields import Body
from comanda.contracts.idempotency import key_header
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.orders import placement, queries
from comanda.orders.idempotency import parse_keys
from comanda.orders.schemas import OrderOut, OrderSummary, StatusBody
from comanda.orders.status import set_status

routes = Routes("Orders")


class OrderFilter(Body):
    """Filters of the list."""

    status: str | None = None


@routes.get("/restaurants/{id}/orders", scope="orders:read", answers=Page[OrderSummary])
async def list_orders(caller: Caller, id: int, page: PageRequest, query: OrderFilter) -> dict[str, Any]:
    """List a store's orders, newest first, 30 per page; ``status`` narrows them to one kitchen status."""
    return await queries.list_orders(caller, id, page, query.status)


@routes.get("/restaurants/{id}/orders/{orderId}", scope="orders:read", answers=OrderOut)
async def get_order(caller: Caller, id: int, order_id: int) -> dict[str, Any]:
    """Return an order with its lines, extras, totals, driver and timeline."""
    return await queries.find_order(caller, id, order_id)


@routes.post("/restaurants/{id}/orders", scope="orders:write", answers=OrderOut, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, id: int, body: Unvalidated[OrderBody]) -> Answer:
    """Place an order. A used ``Idempotency-Key`` or ``client_uuid`` returns the order that it has placed."""
    placed = await placement.place_order(caller, placement.OWNER_CHANNEL, id, body, parse_keys(call.headers, body))
    return placed.answer()


@routes.put("/restaurants/{id}/orders/{orderId}/status", scope="orders:write", answers=OrderOut)
async def change_status(caller: Caller, id: int, order_id: int, body: StatusBody) -> dict[str, Any]:
    """Set the kitchen status; any status may follow any other, and setting the same one changes nothing."""
    return await set_status(caller, id, order_id, body.status, body.note)
