"""The items of a menu as records: with their variants, extras and pictures, and what of it can be ordered now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PictureSize:
    """One size of an uploaded photo."""

    url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an item. An uploaded photo has an id and ``sizes``, smallest first, of which ``url`` is the largest.

    ``alt`` is the item's name unless the picture has its own.
    """

    photo_id: int | None
    url: str
    alt: str
    sizes: tuple[PictureSize, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemVariant:
    """A variant as a choice of its item, whose price it replaces; ``stock`` is None if it is not counted."""

    id: int
    name: str
    sku: str | None
    barcode: str | None
    options: Mapping[str, str]
    price_minor: int
    compare_at_price_minor: int | None
    stock: int | None
    is_active: bool


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra; ``is_sold_out`` is its value when the menu was read."""

    id: int
    name: str
    price_minor: int
    is_sold_out: bool


@dataclass(frozen=True, slots=True)
class ExtraGroup:
    """A group of extras: how many must and may be chosen, and how many of them are free."""

    id: int
    name: str
    min_count: int
    max_count: int | None
    free_count: int
    allows_repeats: bool
    extras: tuple[Extra, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a menu. ``attributes`` are the stored values of the store's item capabilities.

    ``is_sold_out`` is its flag when the menu was read, and ``sold_out_until`` when that ends by itself; the flag does
    not consider ``stock``, which is None if it is not counted.
    """

    id: int
    category_id: int
    name: str
    description: str | None
    image_url: str | None
    price_minor: int
    tax_rate_ppm: int | None
    is_sold_out: bool
    sold_out_until: datetime | None
    is_popular: bool
    is_active: bool
    position: int
    stock: int | None
    allow_backorder: bool
    attributes: Mapping[str, Any]
    variants: tuple[ItemVariant, ...]
    groups: tuple[ExtraGroup, ...]
    gallery: tuple[Picture, ...]

    def is_used_up(self, stock: int | None) -> bool:
        """Return whether a counted stock, its own or that of a variant, is used up and cannot be backordered."""
        return stock is not None and stock <= 0 and not self.allow_backorder


@dataclass(frozen=True, slots=True)
class OfferedItem(Item):
    """An item with what of it can be ordered.

    It ``is_on_menu`` if it and its category are active, and ``is_available`` if it is not sold out either;
    ``gone_from`` is the time from which its attributes make it unavailable. ``variant_by_id`` holds active variants.
    """

    is_on_menu: bool
    is_available: bool
    gone_from: datetime | None
    variant_by_id: Mapping[int, ItemVariant]
    extra_by_id: Mapping[int, Extra]
