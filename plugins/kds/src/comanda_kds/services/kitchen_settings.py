"""Settings of a store's kitchen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from comanda.basics import NotFound, Sentence, ValidationFailed
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import bump_menu_version, find_vertical, require_store

from comanda_kds.records import KitchenTimings
from comanda_kds.schemas import KitchenChange
from comanda_kds.services.order_lines import CAPABILITY
from comanda_kds.settings import get_settings

SELECT_SETTINGS: Final = """
    SELECT soon_minutes, late_minutes, lead_minutes FROM kds_settings WHERE store_id = $1 AND owner_id = $2
"""
# The row locks the configuration of a kitchen; its version shows boards that it changed.
INCREMENT_VERSION: Final = """
    INSERT INTO kds_settings (owner_id, store_id, version) VALUES ($2, $1, 1)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET version = kds_settings.version + 1
"""
UPDATE_SETTINGS: Final = """
    UPDATE kds_settings SET soon_minutes = $3, late_minutes = $4, lead_minutes = $5
    WHERE store_id = $1 AND owner_id = $2
"""


async def get_timings(owner_id: int, store_id: int) -> KitchenTimings:
    """Return a kitchen's timings; the installation's settings apply where the owner set none."""
    return _apply_defaults(await _load_overrides(owner_id, store_id))


async def get_kitchen_settings(caller: Caller, store_id: int) -> KitchenTimings:
    """Return a kitchen's settings. Raises ``NotFound``."""
    await check_kitchen(caller, store_id)
    return await get_timings(caller.owner_id, store_id)


async def update_kitchen_settings(caller: Caller, store_id: int, change: KitchenChange) -> KitchenTimings:
    """Update a kitchen's settings and return all of them.

    Raises ``NotFound``; ``ValidationFailed`` if ``soon_minutes`` would exceed ``late_minutes``.
    """
    await check_kitchen(caller, store_id)
    async with lock_configuration(caller.owner_id, store_id):
        overrides = {**await _load_overrides(caller.owner_id, store_id), **change.model_dump(exclude_unset=True)}
        timings = _apply_defaults(overrides)
        if timings.soon_minutes > timings.late_minutes:
            field = "soon_minutes" if change.soon_minutes else "late_minutes"
            raise ValidationFailed({field: ["soon_minutes must not be greater than late_minutes."]})
        await sql.execute(UPDATE_SETTINGS, store_id, caller.owner_id, *overrides.values())
    return timings


async def check_kitchen(caller: Caller, store_id: int) -> None:
    """Check that a store is the caller's and that its type has a kitchen. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    vertical = find_vertical(store["store_type"])
    if vertical is None or CAPABILITY not in vertical.capabilities:
        raise NotFound(Sentence("Stores of this type have no kitchen."))


@asynccontextmanager
async def lock_configuration(owner_id: int, store_id: int) -> AsyncIterator[None]:
    """Lock a kitchen's configuration for a change in one transaction, and invalidate boards and cached routing."""
    async with sql.transaction():
        await sql.execute(INCREMENT_VERSION, store_id, owner_id)
        yield
        await bump_menu_version(owner_id, store_id)
        notifier.announce_change(store_id)


async def _load_overrides(owner_id: int, store_id: int) -> dict[str, int | None]:
    row = await sql.fetch_one(SELECT_SETTINGS, store_id, owner_id)
    return dict(row) if row else {"soon_minutes": None, "late_minutes": None, "lead_minutes": None}


def _apply_defaults(overrides: dict[str, int | None]) -> KitchenTimings:
    fallback = get_settings()
    soon, late, lead = (overrides[name] for name in ("soon_minutes", "late_minutes", "lead_minutes"))
    # If only one of the two ages is set, the default of the other is adjusted to it.
    late_minutes = late if late is not None else max(fallback.late_minutes, soon or 0)
    soon_minutes = soon if soon is not None else min(fallback.soon_minutes, late_minutes)
    return KitchenTimings(soon_minutes, late_minutes, fallback.lead_minutes if lead is None else lead)
