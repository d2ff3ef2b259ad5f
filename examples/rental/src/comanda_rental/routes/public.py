"""Public routes of tool-hire shops."""

from comanda.contracts import PUBLIC, Routes

from comanda_rental.records import FreeTools
from comanda_rental.schemas import DaysQuery
from comanda_rental.services import availability
from comanda_rental.services.hire_days import HirePeriod

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}/rental/tools", cors=True)
async def list_free_tools(restaurant_id: int, query: DaysQuery) -> FreeTools:
    """List tools with how many are free on all days of a hire, and what one costs for them."""
    return await availability.list_public_free_tools(restaurant_id, HirePeriod(query.first_day, query.last_day))
