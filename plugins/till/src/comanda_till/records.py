"""Records of the till, as services return them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ItemCode:
    """The SKU and the barcode of a variation, by which a scanner finds it."""

    item_id: int
    variation_id: int
    sku: str | None
    barcode: str | None


@dataclass(frozen=True, slots=True)
class CustomerDisplay:
    """A customer display of a store's till. ``created_by`` is who connected it."""

    id: int
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class IssuedDisplay(CustomerDisplay):
    """A customer display with the address that a device opens to be one, and its QR code as a data URI of an SVG image.

    Both are returned only this once.
    """

    url: str
    qr_code: str
