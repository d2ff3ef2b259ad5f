"""Fulfillment modes of flower shops."""

from typing import Final

from comanda.contracts import FulfillmentMode

from comanda_florist.schemas.items import GiftFields

AT_THE_STALL: Final = FulfillmentMode(code="at_the_stall", label="At the stall", is_collection=True)

GIFT_DELIVERY: Final = FulfillmentMode(
    code="gift_delivery",
    label="Delivered as a gift",
    required_fields=(("address", "Address is required for gift deliveries."),),
    fields=GiftFields,
    is_delivery=True,
)
