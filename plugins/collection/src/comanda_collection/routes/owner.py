"""Slots, as owners see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_collection import services
from comanda_collection.schemas import SlotSettingsChange, SlotSettingsOut, SlotsOut, SlotsQuery

routes = Routes("Slots")


@routes.get("/restaurants/{id}/slots", scope="orders:read", answers=SlotsOut)
async def list_slots(caller: Caller, id: int, query: SlotsQuery) -> dict[str, Any]:
    """List a day's slots and how full they are; of today and of the store's first mode with slots if none is named."""
    return await services.slots(caller, id, query)


@routes.get("/restaurants/{id}/slot-settings", scope="restaurants:read", answers=SlotSettingsOut)
async def show_slot_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Show how the store's slots are cut and given away, mode by mode."""
    return await services.settings(caller, id)


@routes.put("/restaurants/{id}/slot-settings", scope="restaurants:write", answers=SlotSettingsOut)
async def change_slot_settings(caller: Caller, id: int, body: SlotSettingsChange) -> dict[str, Any]:
    """Change how the slots of one mode are cut; fields left out stay as they are, and orders keep their times."""
    return await services.change_settings(caller, id, body)
