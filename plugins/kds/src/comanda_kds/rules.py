"""A kitchen's settings, and who may change it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.records import find_vertical
from comanda.stores.services import bump_menu_version, require_store

from comanda_kds.lines import CAPABILITY
from comanda_kds.schemas import KitchenChange, Lateness
from comanda_kds.settings import current

FIND: Final = """
    SELECT soon_minutes, late_minutes, lead_minutes FROM kds_settings WHERE store_id = $1 AND owner_id = $2
"""
# The row is the lock of everything that belongs to one kitchen, and its version tells boards that something changed.
TOUCH: Final = """
    INSERT INTO kds_settings (owner_id, store_id, version) VALUES ($2, $1, 1)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET version = kds_settings.version + 1
"""
SAVE: Final = """
    UPDATE kds_settings SET soon_minutes = $3, late_minutes = $4, lead_minutes = $5
    WHERE store_id = $1 AND owner_id = $2
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """Ages in minutes at which a ticket is soon late and late, and how long before its time an order comes."""

    soon_minutes: int
    late_minutes: int
    lead_minutes: int

    @property
    def lead(self) -> timedelta:
        """How long before its time an order for later comes to the board."""
        return timedelta(minutes=self.lead_minutes)

    def lateness(self, since: datetime, now: datetime) -> Lateness:
        """Tell how late a ticket is that is on the board since then."""
        minutes = (now - since).total_seconds() / 60
        if minutes >= self.late_minutes:
            return Lateness.LATE
        return Lateness.SOON if minutes >= self.soon_minutes else Lateness.ON_TIME


async def of_store(owner_id: int, store_id: int) -> Rules:
    """Return a kitchen's rules: what its owner decided, else what the installation says."""
    return _with_defaults(await _decided(owner_id, store_id))


async def settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell a kitchen's settings. Raises ``NotFound``."""
    await must_have_kitchen(caller, store_id)
    return asdict(await of_store(caller.owner_id, store_id))


async def change_settings(caller: Caller, store_id: int, change: KitchenChange) -> dict[str, Any]:
    """Change a kitchen's settings and tell all of them.

    Raises ``NotFound``; ``ValidationFailed`` where a ticket would be late before it soon is.
    """
    await must_have_kitchen(caller, store_id)
    async with configuring(caller.owner_id, store_id):
        decided = {**await _decided(caller.owner_id, store_id), **change.model_dump(exclude_unset=True)}
        rules = _with_defaults(decided)
        if rules.soon_minutes > rules.late_minutes:
            field = "soon_minutes" if change.soon_minutes else "late_minutes"
            raise ValidationFailed({field: ["A ticket is soon late before it is late, or at the same age."]})
        await sql.execute(SAVE, store_id, caller.owner_id, *decided.values())
    return asdict(rules)


async def must_have_kitchen(caller: Caller, store_id: int) -> None:
    """Refuse a store of a type that has no kitchen. Raises ``NotFound``, also for a store of another owner's."""
    store = await require_store(caller, store_id)
    vertical = find_vertical(store["store_type"])
    if vertical is None or CAPABILITY not in vertical.capabilities:
        raise NotFound("Stores of this type have no kitchen.")


@asynccontextmanager
async def configuring(owner_id: int, store_id: int) -> AsyncIterator[None]:
    """Run a change of a kitchen's configuration in one transaction, alone, and let its boards and new orders know."""
    async with sql.transaction():
        await sql.execute(TOUCH, store_id, owner_id)
        yield
        await bump_menu_version(owner_id, store_id)


async def _decided(owner_id: int, store_id: int) -> dict[str, int | None]:
    row = await sql.fetch_one(FIND, store_id, owner_id)
    return dict(row) if row else {"soon_minutes": None, "late_minutes": None, "lead_minutes": None}


def _with_defaults(decided: dict[str, int | None]) -> Rules:
    fallback = current()
    soon, late, lead = (decided[name] for name in ("soon_minutes", "late_minutes", "lead_minutes"))
    # Whoever sets one of two ages alone means that one: the other makes room for it.
    late_minutes = late if late is not None else max(fallback.late_minutes, soon or 0)
    soon_minutes = soon if soon is not None else min(fallback.soon_minutes, late_minutes)
    return Rules(soon_minutes, late_minutes, fallback.lead_minutes if lead is None else lead)
