"""The slot settings of a store, as its owner manages them."""

from comanda.basics import extend_record
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import bump_menu_version, find_vertical, require_store

from comanda_collection.records import ModeRules, StoreSlotRules
from comanda_collection.schemas import SlotSettingsChange
from comanda_collection.services.slot_rules import get_slot_rules, list_slot_modes, update_slot_rules
from comanda_collection.services.slots import validate_mode


async def get_slot_settings(caller: Caller, store_id: int) -> StoreSlotRules:
    """Return the slot settings of a store by mode. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    rules = await get_slot_rules(caller.owner_id, store_id)
    modes = list_slot_modes(find_vertical(store["store_type"]))
    return StoreSlotRules([extend_record(ModeRules, rules[mode], mode=mode) for mode in modes])


async def update_slot_settings(caller: Caller, store_id: int, change: SlotSettingsChange) -> StoreSlotRules:
    """Update the slot settings of one mode; orders keep their times.

    Raises ``NotFound``; ``ValidationFailed`` for a mode that the store does not have.
    """
    store = await require_store(caller, store_id)
    validate_mode(change.mode, list_slot_modes(find_vertical(store["store_type"])))
    # A capacity of null means unlimited; for other fields null means no change.
    given = change.model_dump(exclude_unset=True, exclude={"mode"})
    columns = {name: value for name, value in given.items() if value is not None or name == "capacity"}
    if columns:
        async with sql.transaction():
            await update_slot_rules(caller.owner_id, store_id, change.mode, columns)
            # Every process holds the slots in memory together with the menu.
            await bump_menu_version(caller.owner_id, store_id)
    return await get_slot_settings(caller, store_id)
