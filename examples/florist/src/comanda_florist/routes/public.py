"""Public routes of flower shops."""

from comanda.contracts import PUBLIC, Routes

from comanda_florist.records import DeliveryDays
from comanda_florist.schemas.shops import DaysQuery, PublicDays
from comanda_florist.services import shops

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}/florist/days", cors=True, answers=PublicDays)
async def list_public_days(restaurant_id: int, query: DaysQuery) -> DeliveryDays:
    """List days and whether a gift can be ordered for them now; by default 14 days from today."""
    return await shops.list_public_days(restaurant_id, query)
