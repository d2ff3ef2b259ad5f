"""What anybody's agent can do: find stores, and what they sell."""

from typing import Any

from comanda import clock
from comanda.contracts.mcp import Tool, ToolCall
from comanda.errors import NotFound, ValidationFailed
from comanda.text_search import split_words

from comanda_mcp_catalog.queries import GROUPS_PER_PAGE, STORES_PER_PAGE, find_items, find_store, find_stores
from comanda_mcp_catalog.records import detail_record, listed_record, stores_with_items
from comanda_mcp_catalog.schemas import (
    FoundItems,
    FoundStores,
    GetStore,
    ListedDetail,
    SearchItems,
    SearchStores,
)

ON = ("catalog",)


async def search_stores(call: ToolCall, arguments: SearchStores) -> dict[str, Any]:
    """Find stores."""
    rows = await find_stores(arguments.keyword or "", arguments.city or "", arguments.page)
    moment = clock.now()
    return {
        "stores": [listed_record(row, moment) for row in rows[:STORES_PER_PAGE]],
        "page": arguments.page,
        "has_more": len(rows) > STORES_PER_PAGE,
    }


async def search_items(call: ToolCall, arguments: SearchItems) -> dict[str, Any]:
    """Find what stores sell."""
    sought = split_words(arguments.query)
    if not sought:
        raise ValidationFailed(query=["Must have a letter or a digit."])
    moment = clock.now()
    diets = {f"is_{diet}": True for diet in arguments.dietary}
    rows = await find_items(sought, diets, arguments.max_price, arguments.city or "", arguments.page, moment)
    last = arguments.page * GROUPS_PER_PAGE
    return {
        "stores": stores_with_items([row for row in rows if row["standing"] <= last], moment),
        "page": arguments.page,
        "has_more": any(row["standing"] > last for row in rows),
    }


async def get_store(call: ToolCall, arguments: GetStore) -> dict[str, Any]:
    """Show a store. Raises ``NotFound`` for one that is not listed, too."""
    if (arguments.id is None) == (arguments.slug is None):
        raise ValidationFailed(slug=["Give either slug or id."])
    row = await find_store(arguments.id, arguments.slug)
    if row is None:
        raise NotFound
    return detail_record(row, clock.now())


TOOLS = (
    Tool(
        name="search_stores",
        title="Search stores",
        description=(
            "Finds stores by words and city, 20 per page, and tells whether each is open now. Without any argument it "
            "lists all of them."
        ),
        servers=ON,
        arguments=SearchStores,
        result=FoundStores,
        handler=search_stores,
        is_read_only=True,
    ),
    Tool(
        name="search_items",
        title="Search what stores sell",
        description=(
            "Finds items that can be ordered now by words, diet, price and city, grouped by store: 10 stores per page, "
            "the best 10 items of each. The words must all be in the item's name and description, or all in the name "
            "of its category."
        ),
        servers=ON,
        arguments=SearchItems,
        result=FoundItems,
        handler=search_items,
        is_read_only=True,
    ),
    Tool(
        name="get_store",
        title="Show a store",
        description="Shows one store by its slug or id: what it is, where, its hours, the kinds of orders it takes.",
        servers=ON,
        arguments=GetStore,
        result=ListedDetail,
        handler=get_store,
        is_read_only=True,
    ),
)
