"""Stores, as owners see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.stores import services
from comanda.stores.schemas import SettingsChange, SettingsOut, StoreDetail, StoreOut

routes = Routes("Stores")


@routes.get("/restaurants", scope="restaurants:read", answers=Page[StoreOut])
async def list_stores(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List your stores, newest first, 20 per page."""
    return await services.list_stores(caller, page)


@routes.get("/restaurants/{id}", scope="restaurants:read", answers=StoreDetail)
async def show_store(caller: Caller, id: int) -> dict[str, Any]:
    """Show a store with its categories, how many items each has, and whether it is open."""
    return await services.get_store(caller, id)


@routes.get("/restaurants/{id}/settings", scope="restaurants:read", answers=SettingsOut)
async def show_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Show a store's settings: place, hours, taxes, service charge, rounding."""
    return await services.get_settings(caller, id)


@routes.put("/restaurants/{id}/settings", scope="restaurants:write", answers=SettingsOut)
async def change_settings(caller: Caller, id: int, body: SettingsChange) -> dict[str, Any]:
    """Change a store's settings; fields left out stay as they are, ``hours`` come whole."""
    return await services.change_settings(caller, id, body)
