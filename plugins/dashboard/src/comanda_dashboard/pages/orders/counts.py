"""Numbers of orders of a store, or of all stores of the person."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.web.dashboard import Visit

NOTHING: Final[Mapping[str, Any]] = {}


async def get_counts(visit: Visit, store_id: int) -> Mapping[str, Any]:
    """Return a store's orders by status."""
    found = await visit.api.get("/order-counts", query={"restaurant_id": store_id})
    return found["data"][0] if found["data"] else NOTHING


async def list_counts(visit: Visit) -> Mapping[int, Mapping[str, Any]]:
    """Return the orders of the person's stores by status, by the id of the store."""
    if not visit.may("orders:read"):
        return {}
    found = await visit.api.get("/order-counts", query={"per_page": 100})
    return {each["restaurant_id"]: each for each in found["data"]}
