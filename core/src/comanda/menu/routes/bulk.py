"""Routes that list items page by page and change many of them at once."""

from typing import Any

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import Page, PageRequest
from comanda.contracts.requests.routes import Routes
from comanda.menu.bulk_schemas import (
    ChangedItems,
    ItemListQuery,
    ItemsChange,
    ItemsDeletion,
    PositionsBody,
    PriceChangeBody,
    SortedMenu,
)
from comanda.menu.changes import bulk_changes, positions, price_changes
from comanda.menu.reading import item_lists
from comanda.menu.reading.item_json import to_store_item_json
from comanda.menu.records import CategorySummary, PriceChanges
from comanda.menu.schemas import ItemOut

routes = Routes("Menu")

ITEMS_PATH = "/restaurants/{id}/menu/items"


@routes.get("/restaurants/{id}/menu/categories", scope="menu:read")
async def list_categories(caller: Caller, id: int) -> list[CategorySummary]:
    """List the categories with the numbers of their items."""
    return await item_lists.list_categories(caller, id)


@routes.get(ITEMS_PATH, scope="menu:read", answers=Page[ItemOut])
async def list_items(caller: Caller, id: int, query: ItemListQuery, page: PageRequest) -> dict[str, Any]:
    """List items page by page, in the order of the menu, by words, category and availability."""
    return (await item_lists.list_items(caller, id, query, page)).to_json(to_store_item_json)


@routes.patch(ITEMS_PATH, scope="menu:write")
async def update_items(caller: Caller, id: int, body: ItemsChange) -> ChangedItems:
    """Change the same fields of several items, all or none."""
    return ChangedItems(items_count=await bulk_changes.update_items(caller, id, body))


@routes.post(f"{ITEMS_PATH}/delete", scope="menu:write", status=200)
async def delete_items(caller: Caller, id: int, body: ItemsDeletion) -> ChangedItems:
    """Delete several items, all or none; existing orders keep their names and prices."""
    return ChangedItems(items_count=await bulk_changes.delete_items(caller, id, body.item_ids))


@routes.post("/restaurants/{id}/menu/prices", scope="menu:write", status=200)
async def change_prices(caller: Caller, id: int, body: PriceChangeBody) -> PriceChanges:
    """Change prices by percent or an amount and round them, all or none; with ``preview`` only report the changes.

    A ``checksum`` from a preview that is outdated gets 409.
    """
    return await price_changes.change_prices(caller, id, body)


@routes.put("/restaurants/{id}/menu/positions", scope="menu:write")
async def sort_menu(caller: Caller, id: int, body: PositionsBody) -> SortedMenu:
    """Sort categories, or items of one category; those that are not listed keep their places."""
    return SortedMenu(moved_count=await positions.sort_menu(caller, id, body))
