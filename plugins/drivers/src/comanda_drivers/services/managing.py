"""What owners do with their drivers: list, add, change, delete, give a new token."""

from collections.abc import Collection
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.phones import normalize_phone
from comanda.stores.services import require_store

from comanda_drivers import tokens
from comanda_drivers.schemas.drivers import DriverBody, DriverChange
from comanda_drivers.services import people

THEIRS: Final = """
    FROM drivers_driver d WHERE d.owner_id = $1 AND d.deleted_at IS NULL AND ($2::bigint IS NULL OR d.store_id = $2)
"""
PAGE: Final = f"SELECT {people.COLUMNS} {THEIRS} ORDER BY d.id DESC LIMIT $3 OFFSET $4"
TOTAL: Final = f"SELECT count(*) {THEIRS}"
ADD: Final = """
    WITH made AS (
        INSERT INTO drivers_driver (owner_id, store_id, name, phone, created_at) VALUES ($1, $2, $3, $4, $5)
        RETURNING id)
    SELECT id FROM made
"""
CHANGE: Final = """
    UPDATE drivers_driver SET store_id = $3, name = $4, phone = $5, is_active = $6,
        is_on_shift = is_on_shift AND $6 WHERE id = $1 AND owner_id = $2
"""
# Orders keep who carried them. Where somebody was who does not drive any more is nobody's business.
DELETE: Final = """
    WITH trail AS (DELETE FROM drivers_trail WHERE driver_id = $1 AND owner_id = $2)
    UPDATE drivers_driver
    SET deleted_at = $3, is_active = false, is_on_shift = false, lat = NULL, lng = NULL, located_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
# Where a number without its country's code belongs: to the driver's store, or to the one country of all stores.
COUNTRY: Final = """
    SELECT min(country) FROM core_store WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2)
    HAVING count(DISTINCT country) = 1
"""
SELECT_EXISTING: Final = "SELECT id FROM drivers_driver WHERE owner_id = $1 AND deleted_at IS NULL AND id = ANY($2)"


async def page_of_drivers(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List an owner's drivers, newest first."""
    scope = (caller.owner_id, caller.store_id)
    rows = await sql.fetch(PAGE, *scope, page.size(), page.offset())
    return page.envelope([people.record(row) for row in rows], await sql.fetch_value(TOTAL, *scope))


async def add(caller: Caller, body: DriverBody) -> dict[str, Any]:
    """Add a driver; the record has the raw ``token``, which nobody can read again. Raises ``ValidationFailed``."""
    store_id = await _checked_store(caller, body.restaurant_id or caller.store_id)
    phone = await _checked_phone(caller, body.phone, store_id)
    async with sql.transaction():
        driver_id = await sql.fetch_value(ADD, caller.owner_id, store_id, body.name, phone, clock.now())
        issued = await tokens.issue_for_owner(caller.owner_id, driver_id)
        made = await people.find(caller, driver_id)
    return {**people.record(made), "token": issued.secret}


async def change(caller: Caller, driver_id: int, body: DriverChange) -> dict[str, Any]:
    """Change a driver; with ``is_active`` false every token of theirs is void at once.

    Raises ``NotFound`` and ``ValidationFailed``.
    """
    await people.find(caller, driver_id)
    async with sql.transaction():
        driver = await people.lock(caller.owner_id, driver_id, caller.store_id)
        store_id = driver.store_id
        if "restaurant_id" in body.model_fields_set:
            store_id = await _checked_store(caller, body.restaurant_id or caller.store_id)
        phone = await _checked_phone(caller, body.phone, store_id) if body.phone is not None else driver.phone
        is_active = driver.is_active if body.is_active is None else body.is_active
        await sql.execute(CHANGE, driver_id, caller.owner_id, store_id, body.name or driver.name, phone, is_active)
        if not is_active:
            await tokens.revoke_all(caller.owner_id, driver_id)
        return people.record(await people.find(caller, driver_id))


async def delete(caller: Caller, driver_id: int) -> None:
    """Delete a driver; orders keep who carried them. Raises ``NotFound``, ``Conflict`` while they have deliveries."""
    async with sql.transaction():
        driver = await people.lock(caller.owner_id, driver_id, caller.store_id)
        count = await people.count_active(driver)
        if count:
            raise Conflict(
                f"{driver.name} has {count} to deliver. Assign that to others first.",
                extras={"reason": "active_deliveries"},
            )
        await sql.execute(DELETE, driver_id, caller.owner_id, clock.now())
        await tokens.revoke_all(caller.owner_id, driver_id)


async def rotate_token(caller: Caller, driver_id: int) -> dict[str, Any]:
    """Make every token of a driver void and give a new one.

    Raises ``NotFound``, ``Conflict`` for a driver who is inactive.
    """
    async with sql.transaction():
        driver = await people.lock(caller.owner_id, driver_id, caller.store_id)
        if not driver.is_active:
            raise Conflict(f"{driver.name} is not active.", extras={"reason": "driver_inactive"})
        await tokens.revoke_all(caller.owner_id, driver_id)
        issued = await tokens.issue_for_owner(caller.owner_id, driver_id)
        found = await people.find(caller, driver_id)
    return {**people.record(found), "token": issued.secret}


async def _checked_store(caller: Caller, store_id: int | None) -> int | None:
    if store_id is not None:
        try:
            await require_store(caller, store_id)
        except NotFound as error:
            raise ValidationFailed(restaurant_id=[f"You have no store {store_id}."]) from error
    return store_id


async def _checked_phone(caller: Caller, phone: str, store_id: int | None) -> str:
    number = normalize_phone(phone, await sql.fetch_value(COUNTRY, caller.owner_id, store_id))
    if number is None:
        raise ValidationFailed(phone=["Must be a phone number such as +351912345678."])
    return number


async def existing(owner_id: int, _store_id: int, driver_ids: Collection[int]) -> list[int]:
    """Return those of the ids that are the owner's drivers, whichever store they usually work for."""
    return [row["id"] for row in await sql.fetch(SELECT_EXISTING, owner_id, list(driver_ids))]
