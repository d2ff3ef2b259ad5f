"""Locations of drivers."""

from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_drivers.schemas.shifts import LocationBody

# One statement, as every driver sends a point every few seconds. A point is accepted if it is at least a second newer
# than the last one; the trail is recorded during active deliveries only.
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
        SELECT FROM drivers_assignment a JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
        WHERE a.driver_id = m.id AND a.owner_id = m.owner_id AND a.released_at IS NULL AND a.ended_at IS NULL
          AND o.status <> 'cancelled')
"""


async def update_location(caller: Caller, body: LocationBody) -> None:
    """Update the driver's location; points less than a second newer than the last one are ignored."""
    moment = clock.now()
    # Otherwise a phone whose clock is ahead would block its own updates until that time.
    recorded_at = min(body.recorded_at or moment, moment)
    point = (body.lat, body.lng, body.accuracy, body.heading, body.speed)
    await sql.execute(UPDATE_LOCATION, caller.subject_id, caller.owner_id, *point, recorded_at, moment)
