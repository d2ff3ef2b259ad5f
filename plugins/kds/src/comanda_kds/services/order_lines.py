"""SQL fragments that read the state and station of order lines, and whether the kitchen makes them.

The state of a line without a row in ``kds_item`` follows from its order's status, so placing an order writes nothing.
"""

from typing import Final

from comanda.platform import runtime

from comanda_kds.models import ItemState
from comanda_kds.services.item_states import STATE_BY_STATUS

CAPABILITY: Final = "kds"

# Citus writes ``CASE o.status WHEN …`` within another CASE wrongly when it sends it to a node.
STATE_FROM_STATUS: Final = "CASE {} END".format(
    " ".join(f"WHEN o.status = '{status}' THEN '{state}'" for status, state in STATE_BY_STATUS.items())
)
ITEM_STATE: Final = f"coalesce(k.state, {STATE_FROM_STATUS})"
# An item's own route takes precedence over its category's. A route without a station leads out of the kitchen. What the
# heading of a combo names is made as its items, which are lines of their own.
IS_EXEMPT: Final = """(coalesce(ri.id, rc.id) IS NOT NULL AND coalesce(ri.station_id, rc.station_id) IS NULL
    OR coalesce((l.combo ->> 'is_heading')::boolean, false))"""
STATION_ID: Final = "coalesce(ri.station_id, rc.station_id, d.id)"
# A line of a later course waits until that is fired, or until the line is bumped all the same.
IS_HELD: Final = f"({ITEM_STATE} = '{ItemState.QUEUED}' AND coalesce(l.course, 1) > 1 AND c.fired_at IS NULL)"
FIRE_AT: Final = f"CASE WHEN {IS_HELD} THEN c.fire_at END"
STARTED_AT: Final = f"""
    CASE WHEN k.state IS NOT NULL THEN k.started_at
         WHEN {STATE_FROM_STATUS} <> '{ItemState.QUEUED}' THEN (o.timeline ->> 'preparing_at')::timestamptz END"""
READY_AT: Final = f"""
    CASE WHEN k.state IS NOT NULL THEN k.ready_at
         WHEN {STATE_FROM_STATUS} IN ('{ItemState.READY}', '{ItemState.SERVED}')
         THEN (o.timeline ->> 'ready_at')::timestamptz END"""

# The lines ``l`` of orders ``o``, each with its row ``k`` if it exists.
JOIN_LINES: Final = """
    JOIN core_order_line_v1 l ON l.order_id = o.id AND l.owner_id = o.owner_id
    LEFT JOIN kds_item k ON k.order_line_id = l.id AND k.owner_id = l.owner_id"""
# The routes of the item and of its category, and the store's default station.
JOIN_ROUTES: Final = """
    LEFT JOIN kds_route ri ON ri.item_id = l.item_id AND ri.owner_id = l.owner_id
    LEFT JOIN core_menu_item_v1 i ON i.id = l.item_id AND i.owner_id = l.owner_id AND ri.id IS NULL
    LEFT JOIN kds_route rc ON rc.category_id = i.category_id AND rc.owner_id = i.owner_id
    LEFT JOIN kds_station d ON d.store_id = o.store_id AND d.owner_id = o.owner_id AND d.is_default"""
# The station that makes a line.
JOIN_STATIONS: Final = f"LEFT JOIN kds_station st ON st.id = {STATION_ID} AND st.owner_id = o.owner_id"
# When a line came to the kitchen, if that was not with its order.
JOIN_ROUNDS: Final = "LEFT JOIN kds_round r ON r.order_id = o.id AND r.owner_id = o.owner_id AND r.round = {}.round"
# Since when its course may be made, or from when.
JOIN_COURSES: Final = "LEFT JOIN kds_course c ON c.order_id = o.id AND c.owner_id = o.owner_id AND c.course = l.course"
# Only some store types have a kitchen; the parameter is the result of ``list_kitchen_store_types``.
JOIN_STORES_WITH_KITCHEN: Final = (
    "JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id AND s.store_type = ANY({})"
)


def list_kitchen_store_types() -> list[str]:
    verticals = runtime.registry().verticals
    return [code for code, vertical in verticals.items() if CAPABILITY in vertical.capabilities]
