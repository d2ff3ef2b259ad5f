"""Orders that a storefront's site or app places for guests."""

from dataclasses import replace
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.order_bodies import OrderBody
from comanda.orders import placement
from comanda.orders.idempotency import parse_keys

from comanda_storefront.services.channels import STOREFRONT_CHANNEL, get_published_store_id
from comanda_storefront.services.links import build_tracking_url

PLACED_ORDER_FIELDS = ("id", "number", "status", "total", "currency", "track_token")


async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an unpaid order in the token's store, or return the one that the same key placed before.

    Raises what ``placing.place`` raises, and ``NotFound`` while the store is not published. Emits ``OrderCreated``.
    """
    store_id = await get_published_store_id(caller)
    result = await placement.place_order(caller, STOREFRONT_CHANNEL, store_id, body, parse_keys(call.headers, body))
    return replace(result, record=to_placed_order(result.record)).answer()


def to_placed_order(order: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an order that guests see."""
    return {
        **{name: order[name] for name in PLACED_ORDER_FIELDS},
        "continue_url": build_tracking_url(order["track_token"]),
    }
