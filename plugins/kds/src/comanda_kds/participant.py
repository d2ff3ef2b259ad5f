"""The kitchen's part in placing an order: the state and station of its lines, from a store's cached routing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts import NewOrder, NewSections, OrderRequest, StoreTerms
from comanda.platform.db import sql

from comanda_kds.models import ItemState

SELECT_ROUTES: Final = """
    SELECT item_id, category_id, station_id FROM kds_route WHERE store_id = $1 AND owner_id = $2
    UNION ALL
    SELECT NULL, NULL, id FROM kds_station WHERE store_id = $1 AND owner_id = $2 AND is_default
"""
SECTION_NAME: Final = "kds"
NOT_MADE_IN_KITCHEN: Final = {"kds_status": None, "station_id": None}


@dataclass(frozen=True, slots=True)
class StationRouting:
    """The stations that make a store's items; None is a route out of the kitchen."""

    by_item: Mapping[int, int | None]
    by_category: Mapping[int, int | None]
    default: int | None

    def makes(self, item_id: int, category_id: int) -> bool:
        """Return whether the kitchen makes an item."""
        return _build_fields(self, item_id, category_id) is not NOT_MADE_IN_KITCHEN


async def load_routing(terms: StoreTerms) -> StationRouting:
    """Return a store's routing. It is cached with the store's terms, and changing it changes them."""
    rows = await sql.fetch(SELECT_ROUTES, terms.id, terms.owner_id)
    return StationRouting(
        by_item={row["item_id"]: row["station_id"] for row in rows if row["item_id"] is not None},
        by_category={row["category_id"]: row["station_id"] for row in rows if row["category_id"] is not None},
        default=next((row["station_id"] for row in rows if row["item_id"] is row["category_id"] is None), None),
    )


def describe_new_lines(request: OrderRequest, routing: StationRouting, order: NewOrder) -> NewSections:
    """Return the state and station of each line of a new order."""
    return {
        SECTION_NAME: {
            line_id: _build_fields(routing, line.item_id, request.items[line.item_id].category_id)
            for line_id, line in zip(order.line_ids, request.lines, strict=True)
        }
    }


def _build_fields(routing: StationRouting, item_id: int, category_id: int) -> Mapping[str, Any]:
    routes = routing.by_item if item_id in routing.by_item else routing.by_category
    key = item_id if routes is routing.by_item else category_id
    if key not in routes:
        return {"kds_status": ItemState.QUEUED, "station_id": routing.default}
    station_id = routes[key]
    return NOT_MADE_IN_KITCHEN if station_id is None else {"kds_status": ItemState.QUEUED, "station_id": station_id}
