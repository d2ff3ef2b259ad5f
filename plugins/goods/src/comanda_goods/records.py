"""Records of brands and of codes of scales, as services return them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand of a store. ``items_count`` includes inactive and sold-out items."""

    id: int
    name: str
    slug: str
    logo_url: str | None
    items_count: int


@dataclass(frozen=True, slots=True)
class ScaleCode:
    """What the barcode of a scale's label stands for. ``weight_g`` has up to three decimals, as a line of an order."""

    item_id: int
    variation: int
    weight_g: float
