"""What deliveries do to orders: an address must be near enough, an order large enough, and the way costs something."""

from typing import Final

from comanda import money
from comanda.menu import snapshot
from comanda.orders.participants import Errors, Incoming, StandingOrder
from comanda.orders.states import Status

from comanda_drivers.models import DispatchMode
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services import delivery_terms, dispatch_queue
from comanda_drivers.services.delivery_fees import DeliveryTerms

FULFILLMENT_MODE: Final = "delivery"
OFFERS_PARTICIPANT: Final = "offers"


async def load_terms(store: snapshot.StoreTerms) -> DeliveryTerms:
    """Read a store's terms of delivery; they are kept with its menu."""
    return await delivery_terms.get_terms(store.owner_id, store.id)


def price_delivery(incoming: Incoming) -> Errors:
    """Say what the delivery costs, or why it will not be made."""
    found: DeliveryTerms = incoming.loaded
    attributes = incoming.attributes
    for name in AddressFields.model_fields:
        # What an order does not say of its address does not stand in its record.
        if attributes.get(name) is None:
            attributes.pop(name, None)
    distance = found.distance_to(attributes.get("address_lat"), attributes.get("address_lng"))
    errors: Errors = {}
    if found.is_beyond(distance):
        reach = found.bands[-1].up_to_m / 1000
        errors["address"] = [f"This store delivers up to {reach:g} km; this address is farther away."]
    # While a line is wrong nobody knows what the order is worth, and it is refused for the line.
    if len(incoming.lines) == len(incoming.body.items):
        errors |= _check_minimum(found, incoming)
    incoming.delivery_fee_minor = found.fee(incoming.subtotal_minor, distance)
    incoming.delivery_tax_rate_ppm = found.tax_rate_ppm
    return errors


def is_offered_to_drivers(incoming: Incoming) -> bool:
    """Tell whether an order's store offers orders to drivers, one after the other."""
    terms: DeliveryTerms = incoming.loaded
    return terms.dispatch_mode is DispatchMode.OFFER


async def start_dispatch(incoming: Incoming, order_id: int) -> None:
    """Let a new order look for a driver."""
    await dispatch_queue.start_dispatch(incoming.terms.owner_id, incoming.terms.id, order_id, Status.NEW)


async def update_dispatch(order: StandingOrder, status: Status) -> None:
    """Offer an order once the kitchen is far enough."""
    await dispatch_queue.update_dispatch(order, status)


def _check_minimum(found: DeliveryTerms, incoming: Incoming) -> Errors:
    least, subtotal, currency = found.min_order_minor, incoming.subtotal_minor, incoming.terms.currency
    if least is None or subtotal >= least:
        return {}
    asked, given = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (least, subtotal))
    return {"items": [f"A delivery begins at {asked}; these items come to {given}."]}
