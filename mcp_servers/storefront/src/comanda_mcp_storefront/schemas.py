"""What the tools take and give."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from comanda.contracts.fields import Amount, Count, Id, Moment, ShortText
from comanda.contracts.mcp import Arguments
from comanda.menu.schemas import PublicCategory, PublicItem
from comanda.stores.hours_schemas import HoursOut
from comanda.stores.intake_status import BusyOut
from pydantic import BaseModel, Field


class Diet(StrEnum):
    """What an item is fit for; items tell it as ``is_vegan`` and ``is_halal``."""

    VEGAN = "vegan"
    HALAL = "halal"


class Message(BaseModel):
    """Something that a guest or their agent should know about a result."""

    type: Literal["error", "warning", "info"]
    code: str = Field(description="For programs, such as sold_out.")
    path: str | None = Field(description="The argument or field that it is about.")
    text: str = Field(description="For people.")


class GetStore(Arguments):
    """The store is the token's."""


class Mode(BaseModel):
    """A kind of order that guests may place."""

    code: str = Field(description="What stands in an order's type.")
    label: str
    required_fields: list[str] = Field(description="What an order of this kind must have besides its items.")


class Policies(BaseModel):
    """What is added to prices. Rates are percentages."""

    is_tax_included: bool
    tax_rate: float
    service_charge_rate: float
    service_charge_amount: float
    service_charge_modes: list[str]


class StoreForGuests(BaseModel):
    """A store, as its guests know it."""

    id: int
    title: str
    url: str
    store_type: str
    label: str = Field(description="What kind of store it is, in words.")
    currency: str
    timezone: str
    country: str | None
    address: str | None
    phone: str | None
    is_open: bool
    next_open_at: datetime | None = Field(description="When it opens, if it is closed now and opens within 60 days.")
    closes_at: datetime | None = Field(description="When it closes, if it is open now; null if it stays open.")
    hours: HoursOut | None = Field(description="In the store's time zone; null: always open.")
    modes: list[Mode]
    policies: Policies


class GetMenu(Arguments):
    """Which part of the menu to show."""

    category: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="The name or the id of a category; left out, the whole menu."
    )
    page: Annotated[Count, Field(ge=1, le=10_000, description="Which page of 50 items, from 1 on.")] = 1


class CategoryHeading(BaseModel):
    """A category, and how many of its items can be ordered now."""

    id: int
    name: str
    items_count: int


class MenuPage(BaseModel):
    """A page of what can be ordered now."""

    currency: str
    headings: list[CategoryHeading] = Field(description="All categories of the menu, whatever the page shows.")
    categories: list[PublicCategory] = Field(description="Those of which items stand on this page.")
    current_page: int
    last_page: int
    per_page: int
    total: int = Field(description="How many items all pages have.")


class SearchMenu(Arguments):
    """What to look for; all that is given must fit."""

    query: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="Words of an item's name, description or category, without regard to case and accents."
    )
    dietary: list[Diet] = Field([], max_length=2, description="Diets that an item must be fit for.")
    max_price: Amount | None = Field(
        None, description="The most that an item may cost in its cheapest variation, in the store's currency."
    )
    in_stock: bool = Field(True, description="True leaves out what is sold out; false shows it and marks it.")
    limit: Annotated[Count, Field(ge=1, le=50, description="At most so many items, 1 to 50.")] = 20


class FoundItem(PublicItem):
    """An item, and where on the menu it stands."""

    category: str


class SearchResult(BaseModel):
    """What fits, the best first."""

    currency: str
    items: list[FoundItem]
    total: int = Field(description="How many fit, of which the first are shown.")
    messages: list[Message]


class GetItem(Arguments):
    """Which item to show."""

    item_id: Id = Field(description="The item's id, from get_menu or search_menu.")


class ItemResult(BaseModel):
    """An item with everything that can be chosen."""

    currency: str
    item: FoundItem
    messages: list[Message]


class CheckAvailability(Arguments):
    """What to ask for."""

    type: Annotated[str, Field(max_length=30)] | None = Field(
        None, description="The kind of order, one of the codes in get_store's modes; left out, any."
    )
    at: Moment | None = Field(
        None,
        description="For when, a time to come with its UTC offset, such as 2027-03-01T18:00:00+00:00; now if left out.",
    )


class Availability(BaseModel):
    """Whether an order can be placed for a time."""

    is_available: bool = Field(description="Whether such an order can be placed for that time.")
    is_open: bool
    at: datetime
    next_open_at: datetime | None = Field(description="The next opening after at, if closed then.")
    closes_at: datetime | None = Field(description="The next closing after at, if open then; null if it stays open.")
    busy: BusyOut = Field(
        description="How the store keeps up at that time; delay_minutes is added to what orders take."
    )
    modes: list[Mode] = Field(description="The kinds of orders that guests may place here.")
    messages: list[Message]


class TrackOrder(Arguments):
    """Which order to follow."""

    track_token: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="What the order's placing gave; an order of this store."
    )
