"""MCP tools that find stores and what they sell."""

from comanda.basics import ValidationFailed, clock, require_found, split_words
from comanda.contracts import Tool, ToolCall

from comanda_mcp_catalog.records import FoundItems, FoundStores, ListedStoreDetail
from comanda_mcp_catalog.schemas import GetStore, SearchItems, SearchStores
from comanda_mcp_catalog.services.catalog_search import (
    GROUPS_PER_PAGE,
    STORES_PER_PAGE,
    find_items,
    find_store,
    find_stores,
)
from comanda_mcp_catalog.services.store_records import group_items_by_store, to_listed_store, to_store_detail

SERVERS = ("catalog",)


async def search_stores(call: ToolCall, arguments: SearchStores) -> FoundStores:
    """Find stores."""
    rows = await find_stores(arguments.keyword or "", arguments.city or "", arguments.page)
    moment = clock.now()
    stores = [to_listed_store(row, moment) for row in rows[:STORES_PER_PAGE]]
    return FoundStores(stores, arguments.page, has_more=len(rows) > STORES_PER_PAGE)


async def search_items(call: ToolCall, arguments: SearchItems) -> FoundItems:
    """Find items of stores."""
    sought = split_words(arguments.query)
    if not sought:
        raise ValidationFailed(query=["Must contain a letter or a digit."])
    moment = clock.now()
    diets = {f"is_{diet}": True for diet in arguments.dietary}
    rows = await find_items(sought, diets, arguments.max_price, arguments.city or "", arguments.page, moment)
    last = arguments.page * GROUPS_PER_PAGE
    stores = group_items_by_store([row for row in rows if row["standing"] <= last], moment)
    return FoundItems(stores, arguments.page, has_more=any(row["standing"] > last for row in rows))


async def get_store(call: ToolCall, arguments: GetStore) -> ListedStoreDetail:
    """Return a store. Raises ``NotFound``, also for a store that is not listed."""
    if (arguments.id is None) == (arguments.slug is None):
        raise ValidationFailed(slug=["Give either slug or id."])
    row = require_found(await find_store(arguments.id, arguments.slug))
    return to_store_detail(row, clock.now())


TOOLS = (
    Tool(
        name="search_stores",
        title="Search stores",
        description=(
            "Finds stores by words and city, 20 per page, with whether each is open now. Without arguments it lists "
            "all stores."
        ),
        servers=SERVERS,
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
            "the best 10 items each. All words must be in the item's name and description, or all in the name "
            "of its category."
        ),
        servers=SERVERS,
        arguments=SearchItems,
        result=FoundItems,
        handler=search_items,
        is_read_only=True,
    ),
    Tool(
        name="get_store",
        title="Show a store",
        description="Returns one store by its slug or id: its type, address, opening hours and order types.",
        servers=SERVERS,
        arguments=GetStore,
        result=ListedStoreDetail,
        handler=get_store,
        is_read_only=True,
    ),
)
