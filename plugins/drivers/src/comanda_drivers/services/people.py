"""Drivers as rows: found, locked, described."""

from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound, Unauthenticated

# Deliveries that a driver still has to bring; a cancelled one is nobody's errand any more.
ACTIVE: Final = """(
    SELECT count(*) FROM drivers_assignment a JOIN core_order o ON o.id = a.order_id AND o.owner_id = a.owner_id
    WHERE a.driver_id = d.id AND a.owner_id = d.owner_id AND a.released_at IS NULL AND a.ended_at IS NULL
      AND o.status <> 'cancelled')"""
COLUMNS: Final = f"""d.id, d.owner_id, d.store_id, d.name, d.phone, d.is_active, d.is_on_shift, d.shift_changed_at,
    d.lat, d.lng, d.located_at, d.last_seen_at, {ACTIVE} AS active_deliveries"""
FIND: Final = f"""
    SELECT {COLUMNS} FROM drivers_driver d
    WHERE d.id = $1 AND d.owner_id = $2 AND d.deleted_at IS NULL AND ($3::bigint IS NULL OR d.store_id = $3)
"""
LOCK: Final = """
    SELECT id, owner_id, store_id, name, phone, is_active, is_on_shift FROM drivers_driver
    WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND ($3::bigint IS NULL OR store_id = $3)
    FOR NO KEY UPDATE
"""
COUNT: Final = f"SELECT {ACTIVE} FROM drivers_driver d WHERE d.id = $1 AND d.owner_id = $2"
SEEN: Final = "UPDATE drivers_driver SET last_seen_at = $3 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class LockedDriver:
    """A driver whose row is locked until the open transaction ends: nobody gives them or takes from them meanwhile.

    An order is always locked before its driver.
    """

    id: int
    owner_id: int
    store_id: int | None
    name: str
    phone: str
    is_active: bool
    is_on_shift: bool

    def drives_for(self, store_id: int) -> bool:
        """Tell whether the driver belongs to this store, or to all of the owner's."""
        return self.store_id is None or self.store_id == store_id


async def find(caller: Caller, driver_id: int) -> sql.Row:
    """Return an owner's driver. Raises ``NotFound``, also for one who was deleted."""
    row = await sql.fetch_one(FIND, driver_id, caller.owner_id, caller.store_id)
    if row is None:
        raise NotFound
    return row


async def lock(owner_id: int, driver_id: int, store_id: int | None = None) -> LockedDriver:
    """Lock an owner's driver, one bound to ``store_id`` if that is given. Raises ``NotFound``."""
    row = await sql.fetch_one(LOCK, driver_id, owner_id, store_id)
    if row is None:
        raise NotFound
    return LockedDriver(**dict(row))


async def myself(caller: Caller) -> sql.Row:
    """Return the driver behind a driver's token. Raises ``Unauthenticated`` once they are deleted or inactive."""
    row = await sql.fetch_one(FIND, caller.subject_id, caller.owner_id, None)
    if row is None or not row["is_active"]:
        raise Unauthenticated
    return row


async def lock_myself(caller: Caller) -> LockedDriver:
    """Lock the driver behind a driver's token. Raises as ``myself``."""
    try:
        driver = await lock(caller.owner_id, caller.subject_id or 0)
    except NotFound as error:
        raise Unauthenticated from error
    if not driver.is_active:
        raise Unauthenticated
    return driver


async def count_active(driver: LockedDriver) -> int:
    """Count the deliveries that a driver still has to bring."""
    found: int = await sql.fetch_value(COUNT, driver.id, driver.owner_id)
    return found


def record(row: sql.Row) -> dict[str, Any]:
    """Make a driver's record from a row that has ``COLUMNS``."""
    names = ("id", "name", "phone", "is_active", "is_on_shift", "active_deliveries", "last_seen_at")
    return {"restaurant_id": row["store_id"], **{name: row[name] for name in names}}
