"""Orders that a storefront's site or app places for guests."""

from comanda.basics import Money
from comanda.contracts import Answer, Call, Caller, OrderBody, Unvalidated
from comanda.orders import Order, PlaceOrder, parse_keys, placement

from comanda_storefront.records import GuestOrder
from comanda_storefront.services.channels import STOREFRONT_CHANNEL
from comanda_storefront.services.links import build_continue_url


async def place_order(caller: Caller, call: Call, body: Unvalidated[OrderBody]) -> Answer:
    """Place an unpaid order in the token's store, or return the one that the same key placed before.

    Raises what ``placement.place_order`` raises. Emits ``OrderCreated``.
    """
    command = PlaceOrder(STOREFRONT_CHANNEL, caller.known_store_id, body, parse_keys(call.headers, body))
    result = await placement.place_order(caller, command)
    return result.answer(to_guest_order)


def to_guest_order(order: Order) -> GuestOrder:
    """Return what guests see of an order."""
    return GuestOrder(
        id=order.id,
        number=order.number,
        status=order.status,
        total=Money(order.total_minor, order.currency),
        currency=order.currency,
        track_token=order.track_token,
        continue_url=build_continue_url(order),
    )
