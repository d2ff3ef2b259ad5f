"""The settings of a store's kitchen."""

from comanda.contracts import Caller, Routes

from comanda_kds.records import KitchenTimings
from comanda_kds.schemas import KitchenChange
from comanda_kds.services import kitchen_settings

routes = Routes("Kitchen")

READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get("/restaurants/{id}/kitchen-settings", scope=READ)
async def get_settings(caller: Caller, id: int) -> KitchenTimings:
    """Return when tickets are soon late and late, and how early scheduled orders appear on the board."""
    return await kitchen_settings.get_kitchen_settings(caller, id)


@routes.put("/restaurants/{id}/kitchen-settings", scope=WRITE)
async def update_settings(caller: Caller, id: int, body: KitchenChange) -> KitchenTimings:
    """Update a kitchen's settings; omitted fields stay unchanged, null restores the installation's default."""
    return await kitchen_settings.update_kitchen_settings(caller, id, body)
