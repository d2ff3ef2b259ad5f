"""Locations of drivers, and which customers they are near."""

from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller, DeliveryStatus
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_drivers.events import DriverNear
from comanda_drivers.schemas.shifts import LocationBody
from comanda_drivers.services.terms.distances import build_distance_sql

NEAR_M: Final = 500
# A point that may be off by more says nothing about who is near.
MAX_NEAR_ERROR_M: Final = 200
CUSTOMER_DISTANCE: Final = build_distance_sql(
    "$3::float8", "$4::float8", "(attributes->>'address_lat')::float8", "(attributes->>'address_lng')::float8"
)
# One statement, as every driver sends a point every few seconds. A point is accepted if it is at least a second newer
# than the last one; the trail is recorded during active deliveries only. Returns the deliveries whose customers the
# driver has come near, until that is recorded.
UPDATE_LOCATION: Final = f"""
    WITH moved AS (
        UPDATE drivers_driver SET lat = $3, lng = $4, located_at = $8, last_seen_at = $9
        WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active
          AND (located_at IS NULL OR located_at <= $8::timestamptz - interval '1 second')
        RETURNING id, owner_id),
    active AS (
        SELECT a.id, a.order_id, a.near_at, o.store_id, o.delivery_status, o.attributes FROM moved m
        JOIN drivers_assignment a ON a.driver_id = m.id AND a.owner_id = m.owner_id
        JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
        WHERE a.released_at IS NULL AND a.ended_at IS NULL AND o.status <> 'cancelled'),
    trail AS (
        INSERT INTO drivers_trail
            (owner_id, driver_id, lat, lng, accuracy_m, heading_degrees, speed_mps, recorded_at)
        SELECT m.owner_id, m.id, $3, $4, $5, $6, $7, $8 FROM moved m WHERE EXISTS (SELECT FROM active))
    SELECT id, order_id, store_id FROM active
    WHERE near_at IS NULL AND delivery_status = 'out_for_delivery' AND coalesce($5, 0) <= {MAX_NEAR_ERROR_M}
      AND {CUSTOMER_DISTANCE} <= {NEAR_M}
"""
# Points that arrive together find the same delivery.
RECORD_NEAR: Final = """
    UPDATE drivers_assignment SET near_at = $3 WHERE id = $1 AND owner_id = $2 AND near_at IS NULL RETURNING id
"""


async def update_location(caller: Caller, body: LocationBody) -> None:
    """Update the driver's location; points less than a second newer than the last one are ignored."""
    moment = clock.now()
    # Otherwise a phone whose clock is ahead would block its own updates until that time.
    recorded_at = min(body.recorded_at or moment, moment)
    point = (body.lat, body.lng, body.accuracy, body.heading, body.speed)
    rows = await sql.fetch(UPDATE_LOCATION, caller.subject_id, caller.owner_id, *point, recorded_at, moment)
    for row in rows:
        await _record_near(caller, row)


@sql.transaction()
async def _record_near(caller: Caller, delivery: sql.Row) -> None:
    """Record that the driver is near, and emit the event with it."""
    moment = clock.now()
    if await sql.fetch_one(RECORD_NEAR, delivery["id"], caller.owner_id, moment) is None:
        return
    event = DriverNear(
        order_id=delivery["order_id"],
        restaurant_id=delivery["store_id"],
        driver_id=caller.subject_id,
        delivery_status=DeliveryStatus.OUT_FOR_DELIVERY,
        note=None,
        at=moment,
    )
    await publish(event, owner_id=caller.owner_id, store_id=delivery["store_id"])
