"""Menus to begin with, installed in one call."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_restaurant import services
from comanda_restaurant.schemas import StarterBody, StarterInstalled

routes = Routes("Menu")


@routes.post("/restaurants/{id}/menu/starter", scope="menu:write", answers=StarterInstalled)
async def install_starter(caller: Caller, id: int, body: StarterBody) -> dict[str, Any]:
    """Fill an empty menu with a preset: cafe, pizzeria, burger, bakery or lounge; with a menu it answers 409."""
    return await services.install_starter(caller, id, body)
