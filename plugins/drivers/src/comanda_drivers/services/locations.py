"""Locations of drivers."""

from typing import Any, Final

from comanda import clock
from comanda.accounts.kinds import Caller
from comanda.db import sql

from comanda_drivers.schemas.shifts import LocationBody

# One statement, for it comes every few seconds from everybody who drives. A point counts if it is a second younger than
# the last; the trail is kept while there is something to deliver.
UPDATE_LOCATION: Final = """
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


async def update_location(caller: Caller, body: LocationBody) -> dict[str, Any]:
    """Note where the driver is; a point that is older than the last, or less than a second younger, is ignored."""
    moment = clock.now()
    # A phone whose clock is ahead would else silence itself until that time has come.
    recorded_at = min(body.recorded_at or moment, moment)
    point = (body.lat, body.lng, body.accuracy, body.heading, body.speed)
    await sql.execute(UPDATE_LOCATION, caller.subject_id, caller.owner_id, *point, recorded_at, moment)
    return {"ok": True}
