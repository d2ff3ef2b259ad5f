"""Arguments of the tools."""

from typing import Annotated

from comanda.contracts import Amount, Arguments, Count, Id, ShortText
from pydantic import Field

from comanda_mcp_catalog.records import Diet

Page = Annotated[Count, Field(ge=1, le=1000, description="The page, starting at 1.")]
City = Annotated[ShortText, Field(max_length=100)]


class SearchStores(Arguments):
    """Filters of stores; all filters must match."""

    keyword: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None,
        description="Beginnings of words in a store's name, its type or its menu categories, ignoring "
        "case and accents; omit for all stores.",
    )
    city: City | None = Field(None, description="A city or another part of the address, in whole words.")
    page: Page = 1


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


class GetStore(Arguments):
    """The store to return, by slug or by id."""

    slug: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="The last part of the store's url. Send this or id."
    )
    id: Id | None = Field(None, description="The store's id. Send this or slug.")
