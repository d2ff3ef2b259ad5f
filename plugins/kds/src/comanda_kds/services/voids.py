"""What was taken off a ticket, until a cook has seen it."""

from typing import Final

from comanda.basics import Forbidden, Sentence, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_kds.records import SeenVoid
from comanda_kds.services import order_lines, station_assignments

SELECT_STATION: Final = f"""
    SELECT {order_lines.STATION_ID} AS station_id
    FROM kds_void v JOIN core_order_v1 o ON o.id = v.order_id AND o.owner_id = v.owner_id
    JOIN core_voided_line_v1 l ON l.id = v.order_line_id AND l.owner_id = v.owner_id {order_lines.JOIN_ROUTES}
    WHERE v.id = $1 AND v.owner_id = $2 AND v.store_id = $3
"""
# The one who saw it first stays.
UPDATE_VOID: Final = """
    UPDATE kds_void SET seen_at = coalesce(seen_at, $4), seen_by = coalesce(seen_by, $5)
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 RETURNING id, order_id, seen_at
"""


async def confirm_void(caller: Caller, void_id: int) -> SeenVoid:
    """Take a void off the board; one that was seen before stays as it is.

    Raises ``NotFound`` for a void of another kitchen, ``Forbidden`` for one of another station.
    """
    assignment = await station_assignments.get_assignment(caller)
    place = (void_id, assignment.owner_id, assignment.store_id)
    found = await sql.require_one(SELECT_STATION, *place)
    if not assignment.includes(found["station_id"]):
        raise Forbidden(Sentence("This item is made at another station."))
    async with sql.transaction():
        row = await sql.one(UPDATE_VOID, *place, clock.now(), caller.actor)
        notifier.announce_change(assignment.store_id)
    return SeenVoid(row["id"], row["order_id"], row["seen_at"])
