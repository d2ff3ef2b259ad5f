"""What the tools take and give."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.contracts.fields import Amount, Count, Id, ShortText
from comanda.contracts.mcp import Arguments
from comanda.stores.hours_schemas import HoursOut
from pydantic import BaseModel, Field

Page = Annotated[Count, Field(ge=1, le=1000, description="Which page, from 1 on.")]
City = Annotated[ShortText, Field(max_length=100)]


class Diet(StrEnum):
    """What an item is fit for."""

    VEGAN = "vegan"
    HALAL = "halal"


class SearchStores(Arguments):
    """Which stores to find; all that is given must fit."""

    keyword: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None,
        description="Words that begin words of a store's name, its kind or its menu's categories, without regard to "
        "case and accents; left out, all stores.",
    )
    city: City | None = Field(None, description="A city or another part of the address, in whole words.")
    page: Page = 1


class Listed(BaseModel):
    """A store that lets itself be found."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    label: str = Field(description="What kind of store it is, in words.")
    address: str | None
    country: str | None
    currency: str
    timezone: str
    is_open: bool
    next_open_at: datetime | None = Field(description="When it opens, if it is closed now and opens within 60 days.")
    closes_at: datetime | None = Field(description="When it closes, if it is open now; null if it stays open.")


class FoundStores(BaseModel):
    """A page of stores, 20 at most; those whose name fits stand first."""

    stores: list[Listed]
    page: int
    has_more: bool


class SearchItems(Arguments):
    """What to find; all that is given must fit."""

    query: Annotated[ShortText, Field(min_length=1, max_length=100)] = Field(
        description="Words that begin words of an item's name and description, or of its category's name, without "
        "regard to case and accents."
    )
    dietary: list[Diet] = Field([], max_length=2, description="Diets that an item must be fit for.")
    max_price: Amount | None = Field(
        None, description="The most that an item may cost in its cheapest variation, in its store's own currency."
    )
    city: City | None = Field(None, description="A city or another part of the store's address, in whole words.")
    page: Page = 1


class FoundItem(BaseModel):
    """An item that can be ordered now."""

    id: int
    name: str
    description: str | None = Field(description="At most 300 characters of it.")
    price: float = Field(description="In its cheapest variation.")
    is_popular: bool
    dietary: list[Diet]


class StoreWithItems(Listed):
    """A store, and what it has of what is sought."""

    items: list[FoundItem] = Field(description="The best 10 at most.")


class FoundItems(BaseModel):
    """A page of stores with items that fit, 10 stores at most; the best matches stand first."""

    stores: list[StoreWithItems]
    page: int
    has_more: bool


class GetStore(Arguments):
    """Which store to show, named in one of two ways."""

    slug: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="The last part of the store's url. Give this or id."
    )
    id: Id | None = Field(None, description="The store's id. Give this or slug.")


class Mode(BaseModel):
    """A kind of order that the store takes."""

    code: str
    label: str


class ListedDetail(Listed):
    """A store in full, as the public may know it."""

    hours: HoursOut | None = Field(description="In the store's time zone; null: always open.")
    modes: list[Mode]
    categories: list[str] = Field(description="The headings of its menu.")
