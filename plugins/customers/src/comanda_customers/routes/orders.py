"""Orders of a customer."""

from typing import Any

from comanda.contracts import Answer, Call, Caller, Page, PageRequest, Routes, Unvalidated, key_header
from comanda.orders import OrderOut, OrderSummary, parse_keys, to_order_json, to_order_page_json

from comanda_customers.schemas.orders import CustomerOrderBody
from comanda_customers.scopes import ORDERS
from comanda_customers.services.ordering import orders

routes = Routes("Customer", callers=("customer",))


@routes.get("/customer/orders", scope=ORDERS, is_delegable=True, cors=True, answers=Page[OrderSummary])
async def list_orders(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List your orders, newest first, 30 per page."""
    return to_order_page_json(await orders.list_orders(caller, page))


@routes.get("/customer/orders/{orderId}", scope=ORDERS, is_delegable=True, cors=True, answers=OrderOut)
async def get_order(caller: Caller, order_id: int) -> dict[str, Any]:
    """Return one of your orders with its lines, extras, totals, driver and timeline."""
    return to_order_json(await orders.get_order(caller, order_id))


@routes.post(
    "/customer/orders", scope=ORDERS, is_delegable=True, cors=True, answers=OrderOut, headers=(key_header("order"),)
)
async def place_order(caller: Caller, call: Call, body: Unvalidated[CustomerOrderBody]) -> Answer:
    """Place an order under your own name; a delivery goes to ``address`` or ``address_id``.

    An ``Idempotency-Key`` or ``client_uuid`` that was used before returns the earlier order.
    """
    placed = await orders.place_order(caller, body, parse_keys(call.headers, body))
    return placed.answer(to_order_json)
