"""How statements read the lines of orders: their state, their station, whether the kitchen makes them at all.

Where a line has no row of ours its state follows from the status of its order, so placing an order costs the kitchen
nothing.
"""

from typing import Final

from comanda import runtime

from comanda_kds.states import OF_STATUS, ItemState

CAPABILITY: Final = "kds"

DERIVED: Final = "CASE o.status {} END".format(
    " ".join(f"WHEN '{status}' THEN '{state}'" for status, state in OF_STATUS.items())
)
STATE: Final = f"coalesce(k.state, {DERIVED})"
# An item's own route, else its category's. A route without a station leads out of the kitchen.
IS_EXEMPT: Final = "(coalesce(ri.id, rc.id) IS NOT NULL AND coalesce(ri.station_id, rc.station_id) IS NULL)"
STATION: Final = "coalesce(ri.station_id, rc.station_id, d.id)"
STARTED_AT: Final = f"""
    CASE WHEN k.state IS NOT NULL THEN k.started_at
         WHEN {DERIVED} <> '{ItemState.QUEUED}' THEN (o.timeline ->> 'preparing_at')::timestamptz END"""
READY_AT: Final = f"""
    CASE WHEN k.state IS NOT NULL THEN k.ready_at
         WHEN {DERIVED} IN ('{ItemState.READY}', '{ItemState.SERVED}')
         THEN (o.timeline ->> 'ready_at')::timestamptz END"""

# The lines ``l`` of orders ``o``, each with its row ``k`` if it has one.
ROWS: Final = """
    JOIN core_order_line l ON l.order_id = o.id AND l.owner_id = o.owner_id
    LEFT JOIN kds_item k ON k.order_line_id = l.id AND k.owner_id = l.owner_id"""
# The routes of item and category, the item's first where both are there, and the store's default station.
ROUTING: Final = """
    LEFT JOIN kds_route ri ON ri.item_id = l.item_id AND ri.owner_id = l.owner_id
    LEFT JOIN core_menu_item i ON i.id = l.item_id AND i.owner_id = l.owner_id AND ri.id IS NULL
    LEFT JOIN kds_route rc ON rc.category_id = i.category_id AND rc.owner_id = i.owner_id
    LEFT JOIN kds_station d ON d.store_id = o.store_id AND d.owner_id = o.owner_id AND d.is_default"""
# Only some types of stores have a kitchen; the parameter is what ``store_types`` returns.
OF_KITCHENS: Final = "JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id AND s.store_type = ANY({})"


def store_types() -> list[str]:
    """List the types of stores that have a kitchen."""
    verticals = runtime.registry().verticals
    return [code for code, vertical in verticals.items() if CAPABILITY in vertical.capabilities]
