"""Menus, as owners edit them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer
from comanda.contracts.routes import Routes
from comanda.menu import owner_view, services
from comanda.menu.schemas import (
    CategoryBody,
    CategoryChange,
    CategoryOut,
    CategoryWithItems,
    ItemBody,
    ItemChange,
    ItemOut,
    SoldOutAnswer,
    SoldOutBody,
)

routes = Routes("Menu")


@routes.get("/restaurants/{id}/menu", scope="menu:read", answers=list[CategoryWithItems])
async def show_menu(caller: Caller, id: int) -> Answer:
    """Show the menu: categories with their items, inactive and sold-out ones too."""
    return Answer(await owner_view.get_owner_menu(caller, id))


@routes.post("/restaurants/{id}/menu/categories", scope="menu:write", answers=CategoryOut)
async def add_category(caller: Caller, id: int, body: CategoryBody) -> dict[str, Any]:
    """Add a category."""
    return await services.add_category(caller, id, body)


@routes.put("/restaurants/{id}/menu/categories/{categoryId}", scope="menu:write", answers=CategoryOut)
async def change_category(caller: Caller, id: int, category_id: int, body: CategoryChange) -> dict[str, Any]:
    """Change a category; fields left out stay as they are."""
    return await services.change_category(caller, id, category_id, body)


@routes.delete("/restaurants/{id}/menu/categories/{categoryId}", scope="menu:write")
async def delete_category(caller: Caller, id: int, category_id: int) -> None:
    """Delete a category that has no items; with items it answers 409."""
    await services.delete_category(caller, id, category_id)


@routes.post("/restaurants/{id}/menu/items", scope="menu:write", answers=ItemOut)
async def add_item(caller: Caller, id: int, body: ItemBody) -> dict[str, Any]:
    """Add an item, with its variations and groups of extras."""
    return await services.add_item(caller, id, body)


@routes.get("/restaurants/{id}/menu/items/{itemId}", scope="menu:read", answers=ItemOut)
async def show_item(caller: Caller, id: int, item_id: int) -> dict[str, Any]:
    """Show an item."""
    return await services.get_item(caller, id, item_id)


@routes.put("/restaurants/{id}/menu/items/{itemId}", scope="menu:write", answers=ItemOut)
async def change_item(caller: Caller, id: int, item_id: int, body: ItemChange) -> dict[str, Any]:
    """Change an item; fields left out stay as they are."""
    return await services.change_item(caller, id, item_id, body)


@routes.delete("/restaurants/{id}/menu/items/{itemId}", scope="menu:write")
async def delete_item(caller: Caller, id: int, item_id: int) -> None:
    """Delete an item; orders keep its name and price."""
    await services.delete_item(caller, id, item_id)


@routes.patch("/restaurants/{id}/menu/items/{itemId}/sold-out", scope="menu:write", answers=SoldOutAnswer)
async def set_sold_out(caller: Caller, id: int, item_id: int, body: SoldOutBody) -> dict[str, Any]:
    """Mark an item as sold out or back on; without ``is_sold_out`` the flag flips."""
    return await services.set_sold_out(caller, id, item_id, body)
