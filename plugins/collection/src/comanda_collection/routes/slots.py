"""The slots of a store, for its owner and for customers."""

from comanda.contracts import PUBLIC, Caller, Routes

from comanda_collection.records import DaySlots, StoreSlotRules
from comanda_collection.schemas import PublicSlots, SlotSettingsChange, SlotsQuery
from comanda_collection.services import slot_settings, slots

routes = Routes("Slots")
public_routes = Routes("Public", callers=PUBLIC)


@routes.get("/restaurants/{id}/slots", scope="orders:read")
async def list_slots(caller: Caller, id: int, query: SlotsQuery) -> DaySlots:
    """List a day's slots and how full they are; by default today, in the store's first mode with slots."""
    return await slots.list_slots(caller, id, query)


@public_routes.get("/menu/{restaurantId}/slots", cors=True, answers=PublicSlots)
async def list_public_slots(restaurant_id: int, query: SlotsQuery) -> DaySlots:
    """List a day's slots and whether each can be booked now."""
    return await slots.list_public_slots(restaurant_id, query)


@routes.get("/restaurants/{id}/slot-settings", scope="restaurants:read")
async def get_slot_settings(caller: Caller, id: int) -> StoreSlotRules:
    """Return the slot settings of a store by mode."""
    return await slot_settings.get_slot_settings(caller, id)


@routes.put("/restaurants/{id}/slot-settings", scope="restaurants:write")
async def update_slot_settings(caller: Caller, id: int, body: SlotSettingsChange) -> StoreSlotRules:
    """Update the slot settings of one mode. Omitted fields stay as they are, and orders keep their times."""
    return await slot_settings.update_slot_settings(caller, id, body)
