"""Routes for the script of a store's page: quotes, orders, and the open checks of a table."""

from typing import Any

from comanda.contracts import PUBLIC, Answer, Call, OrderBody, Routes, Unvalidated, parse_body
from comanda.web import check_page_call, store_guests, translate_errors

from comanda_storefront.pages.checkout import checkout, table_checks
from comanda_storefront.records import GuestOrder
from comanda_storefront.schemas.page_orders import Quoted, TableCheck, TableCodeBody
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


@routes.post("/s/{slug}/table-checks", status=200, answers=list[TableCheck])
async def list_table_checks(call: Call, slug: str) -> list[TableCheck]:
    """List the open checks of the table whose code a guest has read."""
    await call.count(f"storefront-page:{call.client_network}", CALLS_PER_MINUTE)
    check_page_call(call)
    with translate_errors(call.headers):
        store = await store_guests.get_public_store(slug)
        return await table_checks.list_table_checks(store, parse_body(TableCodeBody, call.body))
