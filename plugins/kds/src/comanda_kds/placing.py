"""What the kitchen says of the lines of a new order, from what each process knows of a store's routing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts.order_participants import OrderRequest, StoreTerms
from comanda.db import sql

from comanda_kds.states import ItemState

ROUTES: Final = """
    SELECT item_id, category_id, station_id FROM kds_route WHERE store_id = $1 AND owner_id = $2
    UNION ALL
    SELECT NULL, NULL, id FROM kds_station WHERE store_id = $1 AND owner_id = $2 AND is_default
"""
EXEMPT: Final = {"kds_status": None, "station_id": None}


@dataclass(frozen=True, slots=True)
class Routing:
    """Where a store makes what; a station that is None is none of the kitchen's."""

    by_item: Mapping[int, int | None]
    by_category: Mapping[int, int | None]
    default: int | None


async def load(terms: StoreTerms) -> Routing:
    """Read a store's routing; a change of it is a change of the store's terms."""
    rows = await sql.fetch(ROUTES, terms.id, terms.owner_id)
    return Routing(
        by_item={row["item_id"]: row["station_id"] for row in rows if row["item_id"] is not None},
        by_category={row["category_id"]: row["station_id"] for row in rows if row["category_id"] is not None},
        default=next((row["station_id"] for row in rows if row["item_id"] is row["category_id"] is None), None),
    )


def lines(order: OrderRequest) -> list[Mapping[str, Any]]:
    """Tell the state and the station of each line of an order that was just placed."""
    routing: Routing = order.loaded
    return [_line(routing, line.item_id, order.items[line.item_id]["category_id"]) for line in order.lines]


def _line(routing: Routing, item_id: int, category_id: int) -> Mapping[str, Any]:
    routes = routing.by_item if item_id in routing.by_item else routing.by_category
    key = item_id if routes is routing.by_item else category_id
    if key not in routes:
        return {"kds_status": ItemState.QUEUED, "station_id": routing.default}
    station_id = routes[key]
    return EXEMPT if station_id is None else {"kds_status": ItemState.QUEUED, "station_id": station_id}
