"""Routes for a shop's settings and delivery days."""

from comanda.contracts import Caller, Routes

from comanda_florist.records import DeliveryDays, ShopRules
from comanda_florist.schemas.shops import DaysQuery, ShopSettingsChange
from comanda_florist.services import shops

routes = Routes("Florist")


@routes.get("/restaurants/{id}/florist/settings", scope="restaurants:read")
async def get_shop_settings(caller: Caller, id: int) -> ShopRules:
    """Return a flower shop's settings for deliveries and reminders."""
    return await shops.get_shop_settings(caller, id)


@routes.put("/restaurants/{id}/florist/settings", scope="restaurants:write")
async def update_shop_settings(caller: Caller, id: int, body: ShopSettingsChange) -> ShopRules:
    """Update a flower shop's settings; omitted fields are kept, and existing orders keep their days."""
    return await shops.update_shop_settings(caller, id, body)


@routes.get("/restaurants/{id}/florist/days", scope="orders:read")
async def list_days(caller: Caller, id: int, query: DaysQuery) -> DeliveryDays:
    """List days with their capacity and taken deliveries; by default 14 days from today."""
    return await shops.list_days(caller, id, query)
