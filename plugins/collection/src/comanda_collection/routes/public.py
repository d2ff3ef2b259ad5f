"""Slots that anyone may read."""

from typing import Any

from comanda.contracts.routes import PUBLIC, Routes

from comanda_collection import services
from comanda_collection.schemas import PublicSlots, SlotsQuery

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}/slots", cors=True, answers=PublicSlots)
async def list_public_slots(restaurant_id: int, query: SlotsQuery) -> dict[str, Any]:
    """List a day's slots and which of them can be taken now."""
    return await services.public_slots(restaurant_id, query)
