"""What customers order."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, Routes
from comanda.orders.idempotency import parse_keys
from comanda.orders.schemas import OrderOut, OrderSummary

from comanda_customers.schemas.orders import CustomerOrderBody
from comanda_customers.services import ordering

routes = Routes("Customer", callers=("customer",))


@routes.get("/customer/orders", scope=ANY_SCOPE, cors=True, answers=Page[OrderSummary])
async def list_orders(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List one's orders, newest first, 30 per page."""
    return await ordering.page_of_orders(caller, page)


@routes.get("/customer/orders/{orderId}", scope=ANY_SCOPE, cors=True, answers=OrderOut)
async def show_order(caller: Caller, order_id: int) -> dict[str, Any]:
    """Show one of one's orders: lines with extras, totals, driver, timeline."""
    return await ordering.order(caller, order_id)


@routes.post("/customer/orders", scope=ANY_SCOPE, cors=True, answers=OrderOut, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, body: Unvalidated[CustomerOrderBody]) -> Answer:
    """Place an order under one's own name; a delivery goes to ``address`` or ``address_id``.

    With an ``Idempotency-Key`` or ``client_uuid`` seen before, it answers with that order.
    """
    placed = await ordering.place(caller, body, parse_keys(call.headers, body))
    return placed.answer()
