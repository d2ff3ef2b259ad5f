"""Records of listed stores and of what they sell, as the tools return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.basics import Money
from comanda.stores import HoursOut
from pydantic import Field


class Diet(StrEnum):
    """A diet that an item is suitable for."""

    VEGAN = "vegan"
    HALAL = "halal"


@dataclass(frozen=True, slots=True)
class ListedStore:
    """A listed store."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    label: Annotated[str, Field(description="The store type for display.")]
    address: str | None
    country: str | None
    currency: str
    timezone: str
    is_open: bool
    next_open_at: Annotated[
        datetime | None, Field(description="The next opening, if it is closed now and opens within 60 days.")
    ]
    closes_at: Annotated[
        datetime | None, Field(description="The next closing, if it is open now; null if it stays open.")
    ]


@dataclass(frozen=True, slots=True)
class FoundStores:
    """A page of at most 20 stores; matches in the name come first."""

    stores: Sequence[ListedStore]
    page: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item that can be ordered now."""

    id: int
    name: str
    description: Annotated[str | None, Field(description="Truncated to 300 characters.")]
    price: Annotated[Money, Field(description="The price of the cheapest variation.")]
    is_popular: bool
    dietary: Sequence[Diet]


@dataclass(frozen=True, slots=True)
class StoreWithItems(ListedStore):
    """A store and its matching items."""

    items: Annotated[Sequence[FoundItem], Field(description="At most 10, best matches first.")]


@dataclass(frozen=True, slots=True)
class FoundItems:
    """A page of at most 10 stores with matching items, best matches first."""

    stores: Sequence[StoreWithItems]
    page: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class ListedMode:
    """An order type that the store accepts."""

    code: str
    label: str


@dataclass(frozen=True, slots=True)
class ListedStoreDetail(ListedStore):
    """A store in full, as the public sees it."""

    hours: Annotated[HoursOut | None, Field(description="In the store's time zone; null means always open.")]
    modes: Sequence[ListedMode]
    categories: Annotated[Sequence[str], Field(description="The names of its menu categories.")]
