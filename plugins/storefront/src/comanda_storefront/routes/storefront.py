"""The storefront API: routes of one store for its site or app."""

from comanda.contracts import Answer, Call, Caller, OrderBody, Routes, Unvalidated, key_header
from comanda.menu import PublicMenuQuery

from comanda_storefront.caller_kinds import STOREFRONT
from comanda_storefront.records import GuestOrder, PublicStore
from comanda_storefront.schemas.storefront import StorefrontMenu, StorefrontStore
from comanda_storefront.services import orders, storefront

routes = Routes("Storefront", callers=(STOREFRONT.code,))


@routes.get("/storefront/menu", scope="menu:read", cors=True, answers=StorefrontMenu)
async def get_menu(caller: Caller, call: Call, query: PublicMenuQuery) -> Answer:
    """Get the full menu of the token's store with variations, extras and images, without sold-out items."""
    return await storefront.get_menu(caller, call, query.type)


@routes.get("/storefront/restaurant", scope="menu:read", cors=True, answers=StorefrontStore)
async def get_store(caller: Caller) -> PublicStore:
    """Get the public data of the token's store: hours, order types, taxes, service charges and limits."""
    return await storefront.get_store(caller)


@routes.post("/storefront/orders", scope="order:write", cors=True, answers=GuestOrder, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an unpaid order for collection or dine-in, at the prices of the menu.

    At most 40 lines with a quantity of up to 30 each. An ``Idempotency-Key`` or ``client_uuid`` that was used before
    returns the first order. While the store is closed it answers 422 with ``reason`` and ``next_open_at``.
    """
    return await orders.place_order(caller, call, body)
