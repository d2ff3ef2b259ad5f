"""Delivery to the door."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.fulfillment import FulfillmentMode


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Bring orders to the door."""
    return [
        FulfillmentMode(
            code="delivery",
            label="Delivery",
            required_fields=(("address", "Tell where to deliver the order."),),
            is_delivery=True,
        )
    ]
