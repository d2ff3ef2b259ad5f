"""Routes for starter menus."""

from typing import Any

from comanda.contracts import Caller, Routes

from comanda_restaurant.records import InstalledMenu
from comanda_restaurant.schemas import StarterBody, StarterMenuQuery, StarterMenus
from comanda_restaurant.services import starter_installation
from comanda_restaurant.services.starter_menus_json import list_menus_json

routes = Routes("Menu")


@routes.get("/restaurants/{id}/menu/starter", scope="menu:read", answers=StarterMenus)
async def list_starter_menus(caller: Caller, id: int, query: StarterMenuQuery) -> dict[str, Any]:
    """List the starter menus that the store can install; with ``preset``, one of them with its items."""
    await starter_installation.check_store(caller, id)
    return list_menus_json(query.preset)


@routes.post("/restaurants/{id}/menu/starter", scope="menu:write")
async def install_starter_menu(caller: Caller, id: int, body: StarterBody) -> InstalledMenu:
    """Install a starter menu (cafe, pizzeria, burger, bakery or lounge); 409 if the store already has a menu."""
    return await starter_installation.install_starter_menu(caller, id, body)
