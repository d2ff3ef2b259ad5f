"""What anyone may read of a flower shop."""

from typing import Any

from comanda.contracts.routes import PUBLIC, Routes

from comanda_florist import shops
from comanda_florist.schemas import DaysQuery, PublicDays

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}/florist/days", cors=True, answers=PublicDays)
async def list_public_days(restaurant_id: int, query: DaysQuery) -> dict[str, Any]:
    """List days and whether a gift can be ordered for them now; 14 days from today unless others are asked for."""
    return await shops.public_days(restaurant_id, query)
