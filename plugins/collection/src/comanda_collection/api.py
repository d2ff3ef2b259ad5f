"""What other plugins may call: verticals whose stores have slots set them up for the demo."""

from comanda_collection.schemas import SlotSettingsChange
from comanda_collection.services import change_settings as change_slot_settings

__all__ = ["SlotSettingsChange", "change_slot_settings"]
