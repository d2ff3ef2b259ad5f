"""The slot settings of a store."""

from comanda.contracts import Caller, Routes

from comanda_collection.records import StoreSlotRules
from comanda_collection.schemas import SlotSettingsChange
from comanda_collection.services import slot_settings

routes = Routes("Slots")


@routes.get("/restaurants/{id}/slot-settings", scope="restaurants:read")
async def get_slot_settings(caller: Caller, id: int) -> StoreSlotRules:
    """Return the slot settings of a store by mode."""
    return await slot_settings.get_slot_settings(caller, id)


@routes.put("/restaurants/{id}/slot-settings", scope="restaurants:write")
async def update_slot_settings(caller: Caller, id: int, body: SlotSettingsChange) -> StoreSlotRules:
    """Update the slot settings of one mode. Omitted fields stay as they are, and orders keep their times."""
    return await slot_settings.update_slot_settings(caller, id, body)
