"""For other plugins: the slot settings of a store."""

from comanda_collection.schemas import SlotSettingsChange
from comanda_collection.services.slot_settings import update_slot_settings

__all__ = ["SlotSettingsChange", "update_slot_settings"]
