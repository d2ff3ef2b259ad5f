"""Routes of stores for owners."""

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
async def get_store(caller: Caller, id: int) -> dict[str, Any]:
    """Return a store with its categories, their item counts, and whether it is open."""
    return await services.get_store(caller, id)


@routes.get("/restaurants/{id}/settings", scope="restaurants:read", answers=SettingsOut)
async def get_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Return a store's settings: location, hours, taxes, service charge, cash rounding."""
    return await services.get_settings(caller, id)


@routes.put("/restaurants/{id}/settings", scope="restaurants:write", answers=SettingsOut)
async def update_settings(caller: Caller, id: int, body: SettingsChange) -> dict[str, Any]:
    """Update a store's settings; fields left out stay as they are, ``hours`` are replaced as a whole."""
    return await services.update_settings(caller, id, body)
