"""Where drivers are, and whether they are on shift."""

from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import Conflict

from comanda_drivers.schemas.entering import Duty, DutyBody, LocationBody
from comanda_drivers.services import offers, people

# One statement, for it comes every few seconds from everybody who drives. A point counts if it is a second younger than
# the last; the trail is kept while there is something to deliver.
LOCATE: Final = """
    WITH moved AS (
        UPDATE drivers_driver SET lat = $3, lng = $4, located_at = $8, last_seen_at = $9
        WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active
          AND (located_at IS NULL OR located_at <= $8::timestamptz - interval '1 second')
        RETURNING id, owner_id)
    INSERT INTO drivers_trail
        (owner_id, driver_id, lat, lng, accuracy_m, heading_degrees, speed_mps, recorded_at)
    SELECT m.owner_id, m.id, $3, $4, $5, $6, $7, $8 FROM moved m
    WHERE EXISTS (
        SELECT FROM drivers_assignment a JOIN core_order o ON o.id = a.order_id AND o.owner_id = a.owner_id
        WHERE a.driver_id = m.id AND a.owner_id = m.owner_id AND a.released_at IS NULL AND a.ended_at IS NULL
          AND o.status <> 'cancelled')
"""
TURN: Final = """
    UPDATE drivers_driver SET is_on_shift = $3, shift_changed_at = $4, last_seen_at = $4
    WHERE id = $1 AND owner_id = $2
"""


async def me(caller: Caller) -> dict[str, Any]:
    """Describe the driver."""
    return people.record(await people.myself(caller))


async def locate(caller: Caller, body: LocationBody) -> dict[str, Any]:
    """Note where the driver is; a point that is older than the last, or less than a second younger, is ignored."""
    moment = clock.now()
    # A phone whose clock is ahead would else silence itself until that time has come.
    recorded_at = min(body.recorded_at or moment, moment)
    point = (body.lat, body.lng, body.accuracy, body.heading, body.speed)
    await sql.execute(LOCATE, caller.subject_id, caller.owner_id, *point, recorded_at, moment)
    return {"ok": True}


async def turn(caller: Caller, body: DutyBody) -> dict[str, Any]:
    """Begin or end the driver's shift; the same again changes nothing.

    Raises ``Conflict`` with the ``reason`` ``active_deliveries`` when it would end with deliveries still to bring,
    unless it is forced.
    """
    async with sql.transaction():
        driver = await people.lock_myself(caller)
        wanted = not driver.is_on_shift if body.status is None else body.status is Duty.ON
        if wanted is not driver.is_on_shift:
            if not wanted and not body.force and (count := await people.count_active(driver)):
                raise Conflict(
                    f"You have {count} still to deliver.",
                    extras={"reason": "active_deliveries"},
                )
            await sql.execute(TURN, driver.id, driver.owner_id, wanted, clock.now())
        row = await people.myself(caller)
    if not wanted:
        await offers.hand_back(driver.owner_id, driver.id)
    status = Duty.ON if row["is_on_shift"] else Duty.OFF
    return {"status": status, "is_on_shift": row["is_on_shift"], "changed_at": row["shift_changed_at"]}
