"""Orders that a storefront's site or app places for a guest."""

from dataclasses import replace
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.order_bodies import OrderBody
from comanda.orders import placement
from comanda.orders.idempotency import parse_keys

from comanda_storefront.channels import CHANNEL, published_store_of
from comanda_storefront.links import tracking_url

SHOWN = ("id", "number", "status", "total", "currency", "track_token")


async def place(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an order in the token's store, unpaid, or answer with the one that the same key placed before.

    Raises what ``placing.place`` does, and ``NotFound`` while the store is not published. Emits ``OrderCreated``.
    """
    store_id = await published_store_of(caller)
    made = await placement.place_order(caller, CHANNEL, store_id, body, parse_keys(call.headers, body))
    return replace(made, record=placed_record(made.record)).answer()


def placed_record(order: dict[str, Any]) -> dict[str, Any]:
    """Make what a guest is told of an order from its record."""
    return {**{name: order[name] for name in SHOWN}, "continue_url": tracking_url(order["track_token"])}
