"""What a flower shop is: its store type, what is said of its bouquets, and how they reach people."""

from typing import Final

from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.verticals import ItemCapability, Vertical, VerticalGroup

from comanda_florist.schemas import BouquetFields, GiftFields

BOUQUET: Final = ItemCapability(code="bouquet", label="Bouquets", fields=BouquetFields)

AT_THE_STALL: Final = FulfillmentMode(code="at_the_stall", label="At the stall", is_collection=True)

GIFT_DELIVERY: Final = FulfillmentMode(
    code="gift_delivery",
    label="Delivered as a gift",
    required_fields=(("address", "Tell where the flowers go."),),
    fields=GiftFields,
    is_delivery=True,
)

FLORIST: Final = Vertical(
    store_type="florist",
    label="Florist",
    group=VerticalGroup.GOODS,
    capabilities=(BOUQUET.code, "variants", "stock"),
    fulfillment_modes=(AT_THE_STALL.code, GIFT_DELIVERY.code),
)
