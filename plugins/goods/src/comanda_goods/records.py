"""Records of brands, as services return them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand of a store. ``items_count`` includes inactive and sold-out items."""

    id: int
    name: str
    slug: str
    logo_url: str | None
    items_count: int
