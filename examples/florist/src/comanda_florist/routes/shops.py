"""How a shop delivers, as its owner sees it."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_florist import shops
from comanda_florist.schemas import DaysOut, DaysQuery, ShopSettings, ShopSettingsChange

routes = Routes("Florist")


@routes.get("/restaurants/{id}/florist/settings", scope="restaurants:read", answers=ShopSettings)
async def show_shop_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Show how a flower shop delivers and reminds."""
    return await shops.shop_settings(caller, id)


@routes.put("/restaurants/{id}/florist/settings", scope="restaurants:write", answers=ShopSettings)
async def change_shop_settings(caller: Caller, id: int, body: ShopSettingsChange) -> dict[str, Any]:
    """Change how a flower shop delivers and reminds; fields left out stay as they are, and orders keep their days."""
    return await shops.change_settings(caller, id, body)


@routes.get("/restaurants/{id}/florist/days", scope="orders:read", answers=DaysOut)
async def list_days(caller: Caller, id: int, query: DaysQuery) -> dict[str, Any]:
    """List days and how many of their deliveries are taken; 14 days from today unless others are asked for."""
    return await shops.days(caller, id, query)
