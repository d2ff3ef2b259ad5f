"""The kitchen's part in placing an order: the fields of its lines, from a store's cached routing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts import DraftLine, NewOrder, NewSections, OrderRequest, Status, StoreTerms
from comanda.platform.db import sql

from comanda_kds.models import ItemState

SELECT_ROUTES: Final = """
    SELECT item_id, category_id, station_id FROM kds_route WHERE store_id = $1 AND owner_id = $2
    UNION ALL
    SELECT NULL, NULL, id FROM kds_station WHERE store_id = $1 AND owner_id = $2 AND is_default
"""
SECTION_NAME: Final = "kds"


@dataclass(frozen=True, slots=True)
class StationRouting:
    """The stations that make a store's items; None is a route out of the kitchen."""

    by_item: Mapping[int, int | None]
    by_category: Mapping[int, int | None]
    default: int | None

    def makes(self, item_id: int, category_id: int) -> bool:
        """Return whether the kitchen makes an item; a route without a station leads out of it."""
        routes, key = self._find_routes(item_id, category_id)
        return key not in routes or routes[key] is not None

    def get_station_id(self, item_id: int, category_id: int) -> int | None:
        """Return the station that makes an item; None if there are no stations, or if none makes it."""
        routes, key = self._find_routes(item_id, category_id)
        return routes.get(key, self.default)

    def _find_routes(self, item_id: int, category_id: int) -> tuple[Mapping[int, int | None], int]:
        return (self.by_item, item_id) if item_id in self.by_item else (self.by_category, category_id)


async def load_routing(terms: StoreTerms) -> StationRouting:
    """Return a store's routing. It is cached with the store's terms, and changing it changes them."""
    rows = await sql.fetch(SELECT_ROUTES, terms.id, terms.owner_id)
    return StationRouting(
        by_item={row["item_id"]: row["station_id"] for row in rows if row["item_id"] is not None},
        by_category={row["category_id"]: row["station_id"] for row in rows if row["category_id"] is not None},
        default=next((row["station_id"] for row in rows if row["item_id"] is row["category_id"] is None), None),
    )


def describe_new_lines(request: OrderRequest, routing: StationRouting, order: NewOrder) -> NewSections:
    """Return the kitchen's fields of each line of a new order."""
    return {
        SECTION_NAME: {
            line_id: _build_fields(routing, line, request.items[line.item_id].category_id)
            for line_id, line in zip(order.line_ids, request.lines, strict=True)
        }
    }


def describe_amended_lines(request: OrderRequest, routing: StationRouting, order: NewOrder) -> NewSections | None:
    """Return the kitchen's fields of each line of an amended order, or None if they have to be read.

    Nothing of an order that is new was begun, so its lines have no states, nor courses without further ones. The
    category of an item that was deleted is not known.
    """
    amends, lines = request.amends, request.lines
    is_known = (
        amends is not None
        and amends.order.status is Status.NEW
        and not (amends.absorbed or amends.split_into)
        and all((line.course or 1) == 1 and request.items[line.item_id].category_id for line in lines)
    )
    return describe_new_lines(request, routing, order) if is_known else None


def _build_fields(routing: StationRouting, line: DraftLine, category_id: int) -> Mapping[str, Any]:
    if line.is_heading or not routing.makes(line.item_id, category_id):
        return {}
    return {
        "kds_status": ItemState.QUEUED,
        "station_id": routing.get_station_id(line.item_id, category_id),
        "is_held": (line.course or 1) > 1,
    }
