"""What tells that an order has changed since its page was sent."""

from collections.abc import Mapping
from typing import Final

from comanda.orders import TrackKey
from comanda.platform.db import sql

# The driver's location changes without the order, so the page of an order on its way is refreshed periodically.
SELECT_ORDER_STATES: Final = """
    SELECT o.owner_id, o.track_hash, o.updated_at, o.status, o.delivery_status, o.payment_status,
           CASE WHEN o.delivery_status IN ('picked_up', 'out_for_delivery')
                THEN floor(extract(epoch FROM clock_timestamp()) / 15) END AS tick
    FROM unnest($1::bigint[], $2::bytea[]) AS watched (owner_id, track_hash)
    JOIN core_order_v1 o ON o.owner_id = watched.owner_id AND o.track_hash = watched.track_hash
"""
STATE_FIELDS: Final = ("updated_at", "status", "delivery_status", "payment_status", "tick")


async def get_order_states(keys: list[TrackKey]) -> Mapping[TrackKey, object]:
    """Return what differs after each change of the orders with these keys."""
    rows = await sql.fetch(SELECT_ORDER_STATES, [key.owner_id for key in keys], [key.track_hash for key in keys])
    return {TrackKey(row["owner_id"], row["track_hash"]): tuple(row[name] for name in STATE_FIELDS) for row in rows}
