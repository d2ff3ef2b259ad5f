"""What the kitchen says of the lines of orders."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.orders.records import Row

from comanda_kds import lines

LINES: Final = f"""
    SELECT l.id, {lines.STATE} AS kds_status, {lines.STATION} AS station_id
    FROM core_order o {lines.OF_KITCHENS.format("$3")} {lines.ROWS} {lines.ROUTING}
    WHERE o.id = ANY($2) AND o.owner_id = $1 AND o.status <> 'cancelled' AND NOT {lines.IS_EXEMPT}
"""


async def load(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the state and the station of the lines that a kitchen makes."""
    rows = await sql.fetch(LINES, owner_id, list(order_ids), lines.store_types())
    return {row["id"]: {"kds_status": row["kds_status"], "station_id": row["station_id"]} for row in rows}


def wants(order: Row) -> bool:
    """Tell whether anything of an order may be in the kitchen."""
    return bool(order["status"] != Status.CANCELLED)
