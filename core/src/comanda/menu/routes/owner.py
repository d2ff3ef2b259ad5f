"""Routes of menus for owners."""

from typing import Any

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Answer
from comanda.contracts.requests.routes import Routes
from comanda.menu import owner_view, services
from comanda.menu.reading.item_json import to_store_item_json
from comanda.menu.records import MenuCategory, SoldOutFlag
from comanda.menu.schemas import (
    CategoryBody,
    CategoryChange,
    CategoryWithItems,
    ItemBody,
    ItemChange,
    ItemOut,
    SoldOutBody,
)

routes = Routes("Menu")


@routes.get("/restaurants/{id}/menu", scope="menu:read", answers=list[CategoryWithItems])
async def get_menu(caller: Caller, id: int) -> Answer:
    """Return the menu: categories with their items, including inactive and sold-out ones."""
    return Answer(await owner_view.get_owner_menu(caller, id))


@routes.post("/restaurants/{id}/menu/categories", scope="menu:write")
async def create_category(caller: Caller, id: int, body: CategoryBody) -> MenuCategory:
    """Create a category."""
    return await services.create_category(caller, id, body)


@routes.put("/restaurants/{id}/menu/categories/{categoryId}", scope="menu:write")
async def update_category(caller: Caller, id: int, category_id: int, body: CategoryChange) -> MenuCategory:
    """Update a category; fields left out stay as they are."""
    return await services.update_category(caller, id, category_id, body)


@routes.delete("/restaurants/{id}/menu/categories/{categoryId}", scope="menu:write")
async def delete_category(caller: Caller, id: int, category_id: int) -> None:
    """Delete a category; one that still has items gets 409."""
    await services.delete_category(caller, id, category_id)


@routes.post("/restaurants/{id}/menu/items", scope="menu:write", answers=ItemOut)
async def create_item(caller: Caller, id: int, body: ItemBody) -> dict[str, Any]:
    """Create an item with its variations and groups of extras."""
    return to_store_item_json(await services.create_item(caller, id, body))


@routes.get("/restaurants/{id}/menu/items/{itemId}", scope="menu:read", answers=ItemOut)
async def get_item(caller: Caller, id: int, item_id: int) -> dict[str, Any]:
    """Return an item."""
    return to_store_item_json(await services.get_item(caller, id, item_id))


@routes.put("/restaurants/{id}/menu/items/{itemId}", scope="menu:write", answers=ItemOut)
async def update_item(caller: Caller, id: int, item_id: int, body: ItemChange) -> dict[str, Any]:
    """Update an item; fields left out stay as they are."""
    return to_store_item_json(await services.update_item(caller, id, item_id, body))


@routes.delete("/restaurants/{id}/menu/items/{itemId}", scope="menu:write")
async def delete_item(caller: Caller, id: int, item_id: int) -> None:
    """Delete an item; existing orders keep its name and price."""
    await services.delete_item(caller, id, item_id)


@routes.patch("/restaurants/{id}/menu/items/{itemId}/sold-out", scope="menu:write")
async def set_sold_out(caller: Caller, id: int, item_id: int, body: SoldOutBody) -> SoldOutFlag:
    """Mark an item as sold out or available; without ``is_sold_out`` the flag is toggled."""
    return await services.set_sold_out(caller, id, item_id, body)
