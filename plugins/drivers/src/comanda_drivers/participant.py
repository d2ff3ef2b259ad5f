"""The part of deliveries in placing an order: distance, minimum order, delivery fee, and dispatch."""

from typing import Final

from comanda.basics import Sentence, money
from comanda.contracts import (
    DELIVERY_FEE,
    Charge,
    Contribution,
    NewOrder,
    OrderRequest,
    PlacedOrder,
    Problem,
    Status,
    StoreTerms,
)

from comanda_drivers.models import DispatchMode, UnplacedAddress
from comanda_drivers.schemas.terms import AddressFields
from comanda_drivers.services.dispatch import dispatch_queue
from comanda_drivers.services.terms import delivery_terms
from comanda_drivers.services.terms.delivery_fees import DeliveryTerms, Outside

FULFILLMENT_MODE: Final = "delivery"
OFFERS_PARTICIPANT: Final = "offers"
# In the record of an order whose address no area was found for, where the store asks its staff.
IS_ADDRESS_UNPLACED: Final = "is_address_unplaced"


async def load_terms(store: StoreTerms) -> DeliveryTerms:
    """Return a store's delivery terms, which are cached with its menu."""
    return await delivery_terms.get_terms(store.owner_id, store.id)


def price_delivery(request: OrderRequest, terms: DeliveryTerms) -> Contribution:
    """Return the delivery fee of an order, and the problems of one that cannot be delivered.

    An order that is amended is on its way to an address that was accepted, and may become smaller than the minimum.
    """
    fields = request.fields
    distance = terms.measure_distance(fields.get("address_lat"), fields.get("address_lng"))
    fee = terms.find_area_fee(distance, fields.get("address_postcode"))
    # A quote may have no address yet; an order without one is refused for that.
    has_address = bool(request.body.address)
    problems = _check_area(terms, fee) if isinstance(fee, Outside) and has_address else []
    is_asked = fee is Outside.UNKNOWN and has_address and terms.unplaced_addresses is UnplacedAddress.ASK
    # With an invalid line the subtotal is unknown, and the order is refused for the line. What was bought elsewhere has
    # been accepted there.
    if request.is_complete and not request.priced_by:
        problems += _check_minimum(terms, request)
    if request.amends is not None:
        problems = []
    fee_minor = terms.fee_minor if isinstance(fee, Outside) else fee
    if terms.is_free(request.subtotal_minor):
        fee_minor = 0
    return Contribution(
        problems=problems,
        charges=[Charge(DELIVERY_FEE, "Delivery", fee_minor, terms.tax_rate_ppm)],
        attributes={IS_ADDRESS_UNPLACED: True} if is_asked else {},
        # Omitted address fields are left out of the record.
        omitted_fields=frozenset(name for name in AddressFields.model_fields if fields.get(name) is None),
    )


def is_offered_to_drivers(_request: OrderRequest, terms: DeliveryTerms) -> bool:
    """Return whether the store offers orders to drivers one at a time."""
    return terms.dispatch_mode is DispatchMode.OFFER


async def start_dispatch(request: OrderRequest, _terms: DeliveryTerms, order: NewOrder) -> None:
    await dispatch_queue.start_dispatch(request.terms.owner_id, request.terms.id, order.id, Status.NEW)


async def update_dispatch(order: PlacedOrder, status: Status) -> None:
    """Update an order's dispatch when its status changes."""
    await dispatch_queue.update_dispatch(order, status)


def _check_area(terms: DeliveryTerms, outside: Outside) -> list[Problem]:
    match outside:
        case Outside.BEYOND_BANDS:
            reach = terms.bands[-1].up_to_m / 1000
            text = Sentence(
                "This store delivers up to %(distance)s km; this address is farther away.", distance=f"{reach:g}"
            )
        case Outside.OTHER_POSTCODE:
            text = Sentence("This store does not deliver to this postcode.")
        case Outside.UNKNOWN:
            if terms.unplaced_addresses is not UnplacedAddress.REFUSE:
                return []
            text = Sentence("This store needs to know where the address is: send its position, or its postcode.")
            if terms.postcode_bands and not terms.bands:
                text = Sentence("This store needs the postcode of the address.")
    return [Problem("address", text)]


def _check_minimum(terms: DeliveryTerms, request: OrderRequest) -> list[Problem]:
    minimum_minor, subtotal = terms.min_order_minor, request.subtotal_minor
    currency = request.terms.currency
    if minimum_minor is None or subtotal >= minimum_minor:
        return []
    minimum, total = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (minimum_minor, subtotal))
    return [
        Problem(
            "items",
            Sentence(
                "The minimum order for delivery is %(minimum)s; these items total %(total)s.",
                minimum=minimum,
                total=total,
            ),
        )
    ]
