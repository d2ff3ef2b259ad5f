"""Records of the till, as services return them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ItemCode:
    """The SKU and the barcode of a variation, by which a scanner finds it."""

    item_id: int
    variation_id: int
    sku: str | None
    barcode: str | None
