"""Access to drivers: reading and locking."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import NotFound, Unauthenticated
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_drivers.records.drivers import Driver, IssuedDriver

# The active deliveries of a driver; those of cancelled orders do not count.
COUNT_ACTIVE_DELIVERIES: Final = """(
    SELECT count(*) FROM drivers_assignment a JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
    WHERE a.driver_id = d.id AND a.owner_id = d.owner_id AND a.released_at IS NULL AND a.ended_at IS NULL
      AND o.status <> 'cancelled')"""
DRIVER_COLUMNS: Final = f"""
    d.id, d.owner_id, d.store_id, d.name, d.phone, d.is_active, d.is_on_shift, d.shift_changed_at,
    d.lat, d.lng, d.located_at, d.last_seen_at, {COUNT_ACTIVE_DELIVERIES} AS active_deliveries"""
SELECT_DRIVER: Final = f"""
    SELECT {DRIVER_COLUMNS} FROM drivers_driver d
    WHERE d.id = $1 AND d.owner_id = $2 AND d.deleted_at IS NULL AND ($3::bigint IS NULL OR d.store_id = $3)
"""
LOCK_DRIVER: Final = """
    SELECT id, owner_id, store_id, name, phone, is_active, is_on_shift FROM drivers_driver
    WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND ($3::bigint IS NULL OR store_id = $3)
    FOR NO KEY UPDATE
"""
SELECT_ACTIVE_DELIVERY_COUNT: Final = (
    f"SELECT {COUNT_ACTIVE_DELIVERIES} FROM drivers_driver d WHERE d.id = $1 AND d.owner_id = $2"
)
UPDATE_LAST_SEEN: Final = "UPDATE drivers_driver SET last_seen_at = $3 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class LockedDriver:
    """A driver whose row is locked until the open transaction ends, so that their assignments do not change meanwhile.

    An order is always locked before its driver.
    """

    id: int
    owner_id: int
    store_id: int | None
    name: str
    phone: str
    is_active: bool
    is_on_shift: bool

    def serves_store(self, store_id: int) -> bool:
        """Return whether the driver works for this store, or for all of the owner's."""
        return self.store_id is None or self.store_id == store_id


async def get_driver(caller: Caller, driver_id: int) -> Driver:
    """Return an owner's driver. Raises ``NotFound``, also for a deleted driver."""
    return sql.to_record(Driver, await _get_row(caller, driver_id))


async def get_issued_driver(caller: Caller, driver_id: int, token: str) -> IssuedDriver:
    """Return an owner's driver with a token that has just been issued."""
    return sql.to_record(IssuedDriver, await _get_row(caller, driver_id), token=token)


async def _get_row(caller: Caller, driver_id: int) -> sql.Row:
    return await sql.require_one(SELECT_DRIVER, driver_id, caller.owner_id, caller.store_id)


async def lock_driver(owner_id: int, driver_id: int, store_id: int | None = None) -> LockedDriver:
    """Lock an owner's driver, limited to ``store_id`` if given. Raises ``NotFound``."""
    row = await sql.require_one(LOCK_DRIVER, driver_id, owner_id, store_id)
    return LockedDriver(**dict(row))


async def get_current_driver(caller: Caller) -> Driver:
    """Return the calling driver. Raises ``Unauthenticated`` if they are deleted or inactive."""
    row = await sql.fetch_one(SELECT_DRIVER, caller.subject_id, caller.owner_id, None)
    if row is None or not row["is_active"]:
        raise Unauthenticated
    return sql.to_record(Driver, row)


async def lock_current_driver(caller: Caller) -> LockedDriver:
    """Lock the calling driver. Raises as ``get_current_driver``."""
    try:
        driver = await lock_driver(caller.owner_id, caller.subject_id or 0)
    except NotFound as error:
        raise Unauthenticated from error
    if not driver.is_active:
        raise Unauthenticated
    return driver


async def count_active_deliveries(driver: LockedDriver) -> int:
    """Return the number of active deliveries of a driver."""
    found: int = await sql.fetch_value(SELECT_ACTIVE_DELIVERY_COUNT, driver.id, driver.owner_id)
    return found
