"""Kitchen fields in the lines of order records."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import OrderState, Status
from comanda.platform.db import sql

from comanda_kds.schemas import LineFields
from comanda_kds.services import order_lines

SELECT_LINE_FIELDS: Final = f"""
    SELECT l.id, {order_lines.ITEM_STATE} AS kds_status, {order_lines.STATION_ID} AS station_id,
        {order_lines.IS_HELD} AS is_held, {order_lines.FIRE_AT} AS fire_at
    FROM core_order_v1 o {order_lines.JOIN_STORES_WITH_KITCHEN.format("$3")}
    {order_lines.JOIN_LINES} {order_lines.JOIN_ROUTES} {order_lines.JOIN_COURSES}
    WHERE o.id = ANY($2) AND o.owner_id = $1 AND o.status <> 'cancelled' AND NOT {order_lines.IS_EXEMPT}
"""


async def load_line_fields(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the kitchen's fields of lines, by line id; lines that the kitchen does not make are absent."""
    rows = await sql.fetch(SELECT_LINE_FIELDS, owner_id, list(order_ids), order_lines.list_kitchen_store_types())
    return {row["id"]: {name: row[name] for name in LineFields.model_fields} for row in rows}


def may_be_in_kitchen(order: OrderState) -> bool:
    """Return whether an order may have lines in the kitchen."""
    return order.status is not Status.CANCELLED
