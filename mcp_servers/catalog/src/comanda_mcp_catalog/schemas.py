"""Arguments and results of the tools."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.contracts.fields import Amount, Count, Id, ShortText
from comanda.contracts.mcp import Arguments
from comanda.contracts.wire import MoneyNumber, flatten
from comanda.stores.hours_schemas import HoursOut
from pydantic import BaseModel, Field, model_validator

Page = Annotated[Count, Field(ge=1, le=1000, description="The page, starting at 1.")]
City = Annotated[ShortText, Field(max_length=100)]


class Diet(StrEnum):
    """A diet that an item is suitable for."""

    VEGAN = "vegan"
    HALAL = "halal"


class SearchStores(Arguments):
    """Filters of stores; all filters must match."""

    keyword: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None,
        description="Beginnings of words in a store's name, its type or its menu categories, ignoring "
        "case and accents; omit for all stores.",
    )
    city: City | None = Field(None, description="A city or another part of the address, in whole words.")
    page: Page = 1


class Listed(BaseModel):
    """A listed store."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    label: str = Field(description="The store type for display.")
    address: str | None
    country: str | None
    currency: str
    timezone: str
    is_open: bool
    next_open_at: datetime | None = Field(description="The next opening, if it is closed now and opens within 60 days.")
    closes_at: datetime | None = Field(description="The next closing, if it is open now; null if it stays open.")

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, listed: object) -> Mapping[str, object]:
        found = flatten(listed)
        if store := found.pop("store", None):
            found |= flatten(store)
        return found | flatten(found["opening"])


class FoundStores(BaseModel):
    """A page of at most 20 stores; matches in the name come first."""

    stores: list[Listed]
    page: int
    has_more: bool


class SearchItems(Arguments):
    """Filters of items; all filters must match."""

    query: Annotated[ShortText, Field(min_length=1, max_length=100)] = Field(
        description="Beginnings of words in an item's name and description, or in its category's name, ignoring "
        "case and accents."
    )
    dietary: list[Diet] = Field([], max_length=2, description="Diets that an item must be suitable for.")
    max_price: Amount | None = Field(
        None, description="The maximum price of the item's cheapest variation, in the store's currency."
    )
    city: City | None = Field(None, description="A city or another part of the store's address, in whole words.")
    page: Page = 1


class FoundItem(BaseModel):
    """An item that can be ordered now."""

    id: int
    name: str
    description: str | None = Field(description="Truncated to 300 characters.")
    price: MoneyNumber = Field(description="The price of the cheapest variation.")
    is_popular: bool
    dietary: list[Diet]


class StoreWithItems(Listed):
    """A store and its matching items."""

    items: list[FoundItem] = Field(description="At most 10, best matches first.")


class FoundItems(BaseModel):
    """A page of at most 10 stores with matching items, best matches first."""

    stores: list[StoreWithItems]
    page: int
    has_more: bool


class GetStore(Arguments):
    """The store to return, by slug or by id."""

    slug: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="The last part of the store's url. Send this or id."
    )
    id: Id | None = Field(None, description="The store's id. Send this or slug.")


class Mode(BaseModel):
    """An order type that the store accepts."""

    code: str
    label: str


class ListedDetail(Listed):
    """A store in full, as the public sees it."""

    hours: HoursOut | None = Field(description="In the store's time zone; null means always open.")
    modes: list[Mode]
    categories: list[str] = Field(description="The names of its menu categories.")
