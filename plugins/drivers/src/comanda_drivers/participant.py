"""The part of deliveries in placing an order: distance, minimum order, delivery fee, and dispatch."""

from typing import Final

from comanda import money
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder, StoreTerms
from comanda.contracts.order_status import Status

from comanda_drivers.models import DispatchMode
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services import delivery_terms, dispatch_queue
from comanda_drivers.services.delivery_fees import DeliveryTerms

FULFILLMENT_MODE: Final = "delivery"
OFFERS_PARTICIPANT: Final = "offers"


async def load_terms(store: StoreTerms) -> DeliveryTerms:
    """Return a store's delivery terms, which are cached with its menu."""
    return await delivery_terms.get_terms(store.owner_id, store.id)


def price_delivery(order_request: OrderRequest) -> Errors:
    """Set the delivery fee of an order, and return errors for orders that cannot be delivered."""
    terms: DeliveryTerms = order_request.loaded
    attributes = order_request.attributes
    for name in AddressFields.model_fields:
        # Omitted address fields are left out of the record.
        if attributes.get(name) is None:
            attributes.pop(name, None)
    distance = terms.measure_distance(attributes.get("address_lat"), attributes.get("address_lng"))
    errors: Errors = {}
    if terms.is_out_of_range(distance):
        reach = terms.bands[-1].up_to_m / 1000
        errors["address"] = [f"This store delivers up to {reach:g} km; this address is farther away."]
    # With an invalid line the subtotal is unknown, and the order is refused for the line.
    if len(order_request.lines) == len(order_request.body.items):
        errors |= _check_minimum(terms, order_request)
    order_request.delivery_fee_minor = terms.calculate_fee(order_request.subtotal_minor, distance)
    order_request.delivery_tax_rate_ppm = terms.tax_rate_ppm
    return errors


def is_offered_to_drivers(order_request: OrderRequest) -> bool:
    """Return whether the store offers orders to drivers one at a time."""
    terms: DeliveryTerms = order_request.loaded
    return terms.dispatch_mode is DispatchMode.OFFER


async def start_dispatch(order_request: OrderRequest, order_id: int) -> None:
    """Start the dispatch of a new order."""
    await dispatch_queue.start_dispatch(order_request.terms.owner_id, order_request.terms.id, order_id, Status.NEW)


async def update_dispatch(order: PlacedOrder, status: Status) -> None:
    """Update an order's dispatch when its status changes."""
    await dispatch_queue.update_dispatch(order, status)


def _check_minimum(terms: DeliveryTerms, order_request: OrderRequest) -> Errors:
    minimum_minor, subtotal = terms.min_order_minor, order_request.subtotal_minor
    currency = order_request.terms.currency
    if minimum_minor is None or subtotal >= minimum_minor:
        return {}
    minimum, total = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (minimum_minor, subtotal))
    return {"items": [f"The minimum order for delivery is {minimum}; these items total {total}."]}
