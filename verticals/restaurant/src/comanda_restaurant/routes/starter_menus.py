"""Routes for starter menus."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_restaurant.schemas.starter_menus import StarterBody, StarterInstalled
from comanda_restaurant.services import starter_installation

routes = Routes("Menu")


@routes.post("/restaurants/{id}/menu/starter", scope="menu:write", answers=StarterInstalled)
async def install_starter_menu(caller: Caller, id: int, body: StarterBody) -> dict[str, Any]:
    """Install a starter menu (cafe, pizzeria, burger, bakery or lounge); 409 if the store already has a menu."""
    return await starter_installation.install_starter_menu(caller, id, body)
