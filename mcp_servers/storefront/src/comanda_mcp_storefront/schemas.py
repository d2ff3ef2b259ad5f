"""Arguments and results of the tools."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Literal

from comanda.contracts import Amount, Arguments, Count, Id, Moment, ShortText
from comanda.menu import PublicCategory, PublicItem
from comanda.stores import BusyOut, HoursOut, ServiceChargeAmount, ServiceChargeRate, TaxRate
from pydantic import BaseModel, Field


class Diet(StrEnum):
    """A diet that an item is suitable for; items have ``is_vegan`` and ``is_halal``."""

    VEGAN = "vegan"
    HALAL = "halal"


class Message(BaseModel):
    """A message about a result for a guest or their agent."""

    type: Literal["error", "warning", "info"]
    code: str = Field(description="A code for programs, such as sold_out.")
    path: str | None = Field(description="The argument or field that the message is about.")
    text: str = Field(description="The text for people.")


class GetStore(Arguments):
    """No arguments: the store is that of the token."""


class Mode(BaseModel):
    """An order type that guests may place."""

    code: str = Field(description="The value of an order's type.")
    label: str
    required_fields: list[str] = Field(description="The fields that an order of this type requires besides its items.")


class Policies(BaseModel):
    """Taxes and charges. Rates are percentages."""

    is_tax_included: bool
    tax_rate: TaxRate
    service_charge_rate: ServiceChargeRate
    service_charge_amount: ServiceChargeAmount
    service_charge_modes: list[str]


class StoreForGuests(BaseModel):
    """A store as its guests see it."""

    id: int
    title: str
    url: str
    store_type: str
    label: str = Field(description="The store type for display.")
    currency: str
    timezone: str
    country: str | None
    address: str | None
    phone: str | None
    is_open: bool
    next_open_at: datetime | None = Field(description="The next opening, if it is closed now and opens within 60 days.")
    closes_at: datetime | None = Field(description="The next closing, if it is open now; null if it stays open.")
    hours: HoursOut | None = Field(description="In the store's time zone; null means always open.")
    modes: list[Mode]
    policies: Policies


OrderType = Annotated[str, Field(max_length=30)] | None
TYPE_OF_PRICES: Final = "The order type whose prices to return, one of the codes in get_store's modes; omit for any."


class GetMenu(Arguments):
    """The part of the menu to return."""

    category: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="The name or id of a category; omit for the whole menu."
    )
    page: Annotated[Count, Field(ge=1, le=10_000, description="The page of 50 items, starting at 1.")] = 1
    type: OrderType = Field(None, description=TYPE_OF_PRICES)


class CategoryHeading(BaseModel):
    """A category and the number of its items that can be ordered now."""

    id: int
    name: str
    items_count: int


class MenuPage(BaseModel):
    """A page of items that can be ordered now."""

    currency: str
    headings: list[CategoryHeading] = Field(description="All categories of the menu, on every page.")
    categories: list[PublicCategory] = Field(description="The categories with items on this page.")
    current_page: int
    last_page: int
    per_page: int
    total: int = Field(description="The number of items on all pages.")


class SearchMenu(Arguments):
    """Filters of items; all filters must match."""

    query: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="Words of an item's name, description or category, ignoring case and accents."
    )
    dietary: list[Diet] = Field([], max_length=2, description="Diets that an item must be suitable for.")
    max_price: Amount | None = Field(
        None, description="The maximum price of the item's cheapest variation, in the store's currency."
    )
    in_stock: bool = Field(True, description="True omits sold-out items; false includes and marks them.")
    limit: Annotated[Count, Field(ge=1, le=50, description="Maximum number of items, 1 to 50.")] = 20
    type: OrderType = Field(None, description=TYPE_OF_PRICES)


class FoundItem(PublicItem):
    """An item and its category."""

    category: str


class SearchResult(BaseModel):
    """Matching items, best first."""

    currency: str
    items: list[FoundItem]
    total: int = Field(description="The number of all matching items.")
    messages: list[Message]


class GetItem(Arguments):
    """The item to return."""

    item_id: Id = Field(description="The item's id, from get_menu or search_menu.")
    type: OrderType = Field(None, description=TYPE_OF_PRICES)


class ItemResult(BaseModel):
    """An item with all its choices."""

    currency: str
    item: FoundItem
    messages: list[Message]


class CheckAvailability(Arguments):
    """The order type and time to check."""

    type: OrderType = Field(None, description="The order type, one of the codes in get_store's modes; omit for any.")
    at: Moment | None = Field(
        None, description="A future time with UTC offset, such as 2027-03-01T18:00:00+00:00; now if omitted."
    )


class Availability(BaseModel):
    """Whether an order can be placed for a time."""

    is_available: bool = Field(description="Whether such an order can be placed for that time.")
    is_open: bool
    at: datetime
    next_open_at: datetime | None = Field(description="The next opening after at, if closed then.")
    closes_at: datetime | None = Field(description="The next closing after at, if open then; null if it stays open.")
    busy: BusyOut = Field(
        description="How busy the store is at that time; delay_minutes is added to the preparation time."
    )
    modes: list[Mode] = Field(description="The order types that guests may place here.")
    messages: list[Message]


class TrackOrder(Arguments):
    """The order to track."""

    track_token: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="The track token returned when the order was placed in this store."
    )
