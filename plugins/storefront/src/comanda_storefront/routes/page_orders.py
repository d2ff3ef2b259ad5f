"""Routes for the script of a store's page: quotes and orders."""

from typing import Any

from comanda.contracts import PUBLIC, Answer, Call, OrderBody, Routes, Unvalidated
from comanda.web import check_page_call, translate_errors

from comanda_storefront.pages.checkout import checkout
from comanda_storefront.records import GuestOrder
from comanda_storefront.schemas.page_orders import Quoted
from comanda_storefront.services.orders import to_guest_order

# Guests at the tables of a store often share one IP address.
CALLS_PER_MINUTE = 300
ORDERS_PER_MINUTE = 30

routes = Routes("Storefront pages", callers=PUBLIC, prefix="", is_documented=False)


@routes.post("/s/{slug}/quote", status=200, answers=Quoted)
async def quote_order(call: Call, slug: str) -> dict[str, Any]:
    """Price an order without placing it."""
    await call.count(f"storefront-page:{call.client_network}", CALLS_PER_MINUTE)
    check_page_call(call)
    with translate_errors(call.headers):
        return await checkout.quote_order(call, slug, Unvalidated(OrderBody, call.body))


@routes.post("/s/{slug}/orders", answers=GuestOrder)
async def place_order(call: Call, slug: str) -> Answer:
    """Place an order from the store's page. A ``client_uuid`` that was used before returns the first order."""
    await call.count(f"storefront-page:{call.client_network}", CALLS_PER_MINUTE)
    check_page_call(call)
    await call.count(f"storefront-page-orders:{slug[:100]}:{call.client_network}", ORDERS_PER_MINUTE)
    with translate_errors(call.headers):
        result = await checkout.place_order(call, slug, Unvalidated(OrderBody, call.body))
    return result.answer(to_guest_order)
