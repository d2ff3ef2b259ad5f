"""Room inventory: the number of free rooms of each type, night by night.

The rooms of a type, less those out of order, less the stays that are held, confirmed or in house, less the rooms that
other platforms have sold, plus the overbooking allowance. An expired hold no longer counts, whether or not it has been
cancelled yet. What another platform sold counts whether or not the room was still free here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_hotel.models import RoomType
from comanda_hotel.services.hotels import Hotel

# All rooms of a type; those out of order by night, where null means every night; stays, and rooms sold elsewhere, by
# night.
SELECT_INVENTORY = """
    SELECT 'rooms' AS what, room_type_id, NULL::date AS night, count(*) AS many
    FROM hotel_room WHERE room_type_id = ANY ($1) AND owner_id = $2 AND is_active GROUP BY 2
  UNION ALL
    SELECT 'broken', room_type_id, NULL, count(*)
    FROM hotel_room WHERE room_type_id = ANY ($1) AND owner_id = $2 AND is_active AND status = 'out_of_order' GROUP BY 2
  UNION ALL
    SELECT 'broken', r.room_type_id, n.night, count(*)
    FROM hotel_room r JOIN hotel_room_night n ON n.room_id = r.id AND n.owner_id = r.owner_id
    WHERE r.room_type_id = ANY ($1) AND r.owner_id = $2 AND r.is_active AND r.status <> 'out_of_order'
      AND n.block_id IS NOT NULL AND n.night >= $4 AND n.night < $5
    GROUP BY 2, 3
  UNION ALL
    SELECT 'stays', s.room_type_id, night::date, count(*)
    FROM hotel_stay s
    CROSS JOIN LATERAL generate_series(greatest(s.check_in, $4), least(s.check_out, $5) - 1, interval '1 day') AS night
    WHERE s.store_id = $3 AND s.owner_id = $2 AND s.room_type_id = ANY ($1)
      AND s.status IN ('optional', 'confirmed', 'checked_in') AND coalesce(s.expires_at > $6, true)
      AND s.check_out > $4 AND s.check_in < $5 AND s.id IS DISTINCT FROM $7
    GROUP BY 2, 3
  UNION ALL
    SELECT 'stays', r.room_type_id, night::date, count(DISTINCT r.id)
    FROM hotel_room r JOIN hotel_foreign_booking b ON b.room_id = r.id AND b.owner_id = r.owner_id
    CROSS JOIN LATERAL generate_series(greatest(b.starts_on, $4), least(b.ends_on, $5) - 1, interval '1 day') AS night
    WHERE r.room_type_id = ANY ($1) AND r.owner_id = $2 AND r.is_active AND b.ends_on > $4 AND b.starts_on < $5
    GROUP BY 2, 3
"""


@dataclass(slots=True)
class RoomInventory:
    """The rooms of one type, those out of order on every night or by night, and the stays by night, here or foreign."""

    rooms: int = 0
    out_of_order: int = 0
    out_of_order_on: dict[date, int] = field(default_factory=dict)
    stays_on: dict[date, int] = field(default_factory=dict)

    def count_usable(self, night: date) -> int:
        """Return the number of rooms in order."""
        return self.rooms - self.out_of_order - self.out_of_order_on.get(night, 0)

    def count_free(self, night: date, allowance: int) -> int:
        """Return how many more stays can be sold; the allowance does not apply if no room is in order."""
        count_usable = self.count_usable(night)
        return max(0, count_usable + allowance - self.stays_on.get(night, 0)) if count_usable > 0 else 0

    def is_oversold(self, night: date, allowance: int) -> bool:
        """Return whether more is sold than there are rooms in order."""
        return self.stays_on.get(night, 0) > self.count_usable(night) + allowance


async def load_inventory(
    hotel: Hotel, types: list[RoomType], since: date, until: date, except_stay_id: int | None
) -> Mapping[int, RoomInventory]:
    """Return the inventory of room types for the nights from ``since`` up to ``until``, not counting one stay."""
    found = {room_type.id: RoomInventory() for room_type in types}
    rows = await sql.fetch(
        SELECT_INVENTORY, list(found), hotel.owner_id, hotel.id, since, until, clock.now(), except_stay_id
    )
    for row in rows:
        counts, night, many = found[row["room_type_id"]], row["night"], row["many"]
        match row["what"]:
            case "rooms":
                counts.rooms = many
            case "stays":
                counts.stays_on[night] = counts.stays_on.get(night, 0) + many
            case _ if night is None:
                counts.out_of_order = many
            case _:
                counts.out_of_order_on[night] = many
    return found
