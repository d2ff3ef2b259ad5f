"""What deliveries do to orders: an address must be near enough, an order large enough, and the way costs something."""

from typing import Final

from comanda import money
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder
from comanda.contracts.order_status import Status
from comanda.menu import snapshot

from comanda_drivers import terms
from comanda_drivers.fees import DispatchMode, StoreTerms
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services import offers

MODE: Final = "delivery"
OFFERS: Final = "offers"


async def load(store: snapshot.StoreTerms) -> StoreTerms:
    """Read a store's terms of delivery; they are kept with its menu."""
    return await terms.of_store(store.owner_id, store.id)


def price(incoming: OrderRequest) -> Errors:
    """Say what the delivery costs, or why it will not be made."""
    found: StoreTerms = incoming.loaded
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
        errors |= _too_small(found, incoming)
    incoming.delivery_fee_minor = found.fee(incoming.subtotal_minor, distance)
    incoming.delivery_tax_rate_ppm = found.tax_rate_ppm
    return errors


def is_offered(incoming: OrderRequest) -> bool:
    """Tell whether an order's store offers orders to drivers, one after the other."""
    terms: StoreTerms = incoming.loaded
    return terms.dispatch_mode is DispatchMode.OFFER


async def look_for_driver(incoming: OrderRequest, order_id: int) -> None:
    """Let a new order look for a driver."""
    await offers.begin(incoming.terms.owner_id, incoming.terms.id, order_id, Status.NEW)


async def follow(order: PlacedOrder, status: Status) -> None:
    """Offer an order once the kitchen is far enough."""
    await offers.follow(order, status)


def _too_small(found: StoreTerms, incoming: OrderRequest) -> Errors:
    least, subtotal, currency = found.min_order_minor, incoming.subtotal_minor, incoming.terms.currency
    if least is None or subtotal >= least:
        return {}
    asked, given = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (least, subtotal))
    return {"items": [f"A delivery begins at {asked}; these items come to {given}."]}
