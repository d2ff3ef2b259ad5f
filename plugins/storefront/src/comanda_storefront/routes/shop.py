"""The storefront API: one store, for its site or app."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import key_header
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.routes import Routes

from comanda_storefront import ordering, shop
from comanda_storefront.kinds import STOREFRONT
from comanda_storefront.shop_schemas import PlacedOrder, StorefrontMenu, StorefrontStore

routes = Routes("Storefront", callers=(STOREFRONT.code,))


@routes.get("/storefront/menu", scope="menu:read", cors=True, answers=StorefrontMenu)
async def show_menu(caller: Caller, call: Call) -> Answer:
    """Show the whole menu of the token's store: variations, groups of extras, pictures; sold-out items left out."""
    return await shop.menu(caller, call)


@routes.get("/storefront/restaurant", scope="menu:read", cors=True, answers=StorefrontStore)
async def show_store(caller: Caller) -> dict[str, Any]:
    """Show what guests may know of the token's store: hours, kinds of orders, what is added to prices, limits."""
    return await shop.store(caller)


@routes.post("/storefront/orders", scope="order:write", cors=True, answers=PlacedOrder, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an order that the guest collects or has at the table, unpaid; prices are the menu's.

    At most 40 lines, at most 30 of one. With an ``Idempotency-Key`` or ``client_uuid`` seen before, it answers with
    that order. While the store is closed it answers 422 with ``reason`` and ``next_open_at``.
    """
    return await ordering.place(caller, call, body)
