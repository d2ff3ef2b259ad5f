"""Management of drivers by their owner."""

from collections.abc import Collection
from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock, normalize_phone
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_drivers.records.drivers import Driver, IssuedDriver
from comanda_drivers.schemas.drivers import DriverBody, DriverChange, DriverQuery
from comanda_drivers.services.accounts import drivers, tokens

FROM_DRIVERS_OF_OWNER: Final = f"""
    FROM drivers_driver d WHERE d.owner_id = $1 AND d.deleted_at IS NULL AND ($2::bigint IS NULL OR d.store_id = $2)
      AND ($3::bigint IS NULL OR d.store_id IS NULL OR d.store_id = $3)
      AND (NOT $4::boolean OR d.is_on_shift OR {drivers.COUNT_ACTIVE_DELIVERIES} > 0)
"""
SELECT_DRIVERS: Final = f"SELECT {drivers.DRIVER_COLUMNS} {FROM_DRIVERS_OF_OWNER} ORDER BY d.id DESC LIMIT $5 OFFSET $6"
COUNT_DRIVERS: Final = f"SELECT count(*) {FROM_DRIVERS_OF_OWNER}"
INSERT_DRIVER: Final = """
    WITH made AS (
        INSERT INTO drivers_driver (owner_id, store_id, name, phone, created_at) VALUES ($1, $2, $3, $4, $5)
        RETURNING id)
    SELECT id FROM made
"""
UPDATE_DRIVER: Final = """
    UPDATE drivers_driver SET store_id = $3, name = $4, phone = $5, is_active = $6,
        is_on_shift = is_on_shift AND $6 WHERE id = $1 AND owner_id = $2
"""
# Orders keep their driver; a deleted driver's locations are erased.
DELETE_DRIVER: Final = """
    WITH trail AS (DELETE FROM drivers_trail WHERE driver_id = $1 AND owner_id = $2)
    UPDATE drivers_driver
    SET deleted_at = $3, is_active = false, is_on_shift = false, lat = NULL, lng = NULL, located_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
# The country of a number without country code: the store's, or the only country of all stores.
SELECT_COUNTRY: Final = """
    SELECT min(country) FROM core_store_v1 WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2)
    HAVING count(DISTINCT country) = 1
"""
SELECT_EXISTING_IDS: Final = "SELECT id FROM drivers_driver WHERE owner_id = $1 AND deleted_at IS NULL AND id = ANY($2)"


async def list_drivers(caller: Caller, query: DriverQuery, page: PageRequest) -> RecordPage[Driver]:
    """List an owner's drivers, newest first. Raises ``NotFound`` for another owner's store."""
    if query.restaurant_id is not None:
        await require_store(caller, query.restaurant_id)
    filters = (caller.owner_id, caller.store_id, query.restaurant_id, query.is_working)
    rows = await sql.fetch(SELECT_DRIVERS, *filters, page.size(), page.offset())
    return page.of([sql.to_record(Driver, row) for row in rows], await sql.fetch_value(COUNT_DRIVERS, *filters))


async def create_driver(caller: Caller, body: DriverBody) -> IssuedDriver:
    """Create a driver with a permanent token. Raises ``ValidationFailed``."""
    store_id = await _validate_store(caller, body.restaurant_id or caller.store_id)
    phone = await _validate_phone(caller, body.phone, store_id)
    async with sql.transaction():
        driver_id = await sql.fetch_value(INSERT_DRIVER, caller.owner_id, store_id, body.name, phone, clock.now())
        issued = await tokens.issue_permanent_token(caller.owner_id, driver_id)
        return await drivers.get_issued_driver(caller, driver_id, issued.secret)


async def update_driver(caller: Caller, driver_id: int, body: DriverChange) -> Driver:
    """Update a driver; ``is_active`` false revokes all of their tokens.

    Raises ``NotFound`` and ``ValidationFailed``.
    """
    await drivers.get_driver(caller, driver_id)
    async with sql.transaction():
        driver = await drivers.lock_driver(caller.owner_id, driver_id, caller.store_id)
        store_id = driver.store_id
        if "restaurant_id" in body.model_fields_set:
            store_id = await _validate_store(caller, body.restaurant_id or caller.store_id)
        phone = await _validate_phone(caller, body.phone, store_id) if body.phone is not None else driver.phone
        is_active = driver.is_active if body.is_active is None else body.is_active
        await sql.execute(
            UPDATE_DRIVER, driver_id, caller.owner_id, store_id, body.name or driver.name, phone, is_active
        )
        if not is_active:
            await tokens.revoke_tokens(caller.owner_id, driver_id)
        return await drivers.get_driver(caller, driver_id)


async def delete_driver(caller: Caller, driver_id: int) -> None:
    """Delete a driver; orders keep them. Raises ``NotFound``, ``Conflict`` while they have active deliveries."""
    async with sql.transaction():
        driver = await drivers.lock_driver(caller.owner_id, driver_id, caller.store_id)
        count = await drivers.count_active_deliveries(driver)
        if count:
            raise Conflict(
                Sentence(
                    "%(name)s has %(count)s active deliveries. Reassign them first.", name=driver.name, count=count
                ),
                extras={"reason": "active_deliveries"},
            )
        await sql.execute(DELETE_DRIVER, driver_id, caller.owner_id, clock.now())
        await tokens.revoke_tokens(caller.owner_id, driver_id)


async def rotate_token(caller: Caller, driver_id: int) -> IssuedDriver:
    """Revoke all tokens of a driver and issue a new one.

    Raises ``NotFound``, ``Conflict`` for an inactive driver.
    """
    async with sql.transaction():
        driver = await drivers.lock_driver(caller.owner_id, driver_id, caller.store_id)
        if not driver.is_active:
            raise Conflict(Sentence("%(name)s is not active.", name=driver.name), extras={"reason": "driver_inactive"})
        await tokens.revoke_tokens(caller.owner_id, driver_id)
        issued = await tokens.issue_permanent_token(caller.owner_id, driver_id)
        return await drivers.get_issued_driver(caller, driver_id, issued.secret)


async def _validate_store(caller: Caller, store_id: int | None) -> int | None:
    if store_id is not None:
        try:
            await require_store(caller, store_id)
        except NotFound as error:
            raise ValidationFailed(restaurant_id=[f"You have no store {store_id}."]) from error
    return store_id


async def _validate_phone(caller: Caller, phone: str, store_id: int | None) -> str:
    number = normalize_phone(phone, await sql.fetch_value(SELECT_COUNTRY, caller.owner_id, store_id))
    if number is None:
        raise ValidationFailed(phone=[Sentence("Must be a phone number such as +351912345678.")])
    return number


async def list_existing_ids(owner_id: int, _store_id: int, driver_ids: Collection[int]) -> list[int]:
    """Return the ids that belong to the owner's drivers, of any store."""
    return [row["id"] for row in await sql.fetch(SELECT_EXISTING_IDS, owner_id, list(driver_ids))]
