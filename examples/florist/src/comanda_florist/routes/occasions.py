"""Routes for occasions."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_florist.records import Occasion
from comanda_florist.schemas.occasions import OccasionBody, OccasionChange
from comanda_florist.services import occasions

routes = Routes("Florist")


@routes.get("/restaurants/{id}/florist/occasions", scope="customers:read")
async def list_occasions(caller: Caller, id: int, page: PageRequest) -> RecordPage[Occasion]:
    """List a flower shop's occasions, next reminder first, 20 per page."""
    return await occasions.list_occasions(caller, id, page)


@routes.post("/restaurants/{id}/florist/occasions", scope="customers:write")
async def create_occasion(caller: Caller, id: int, body: OccasionBody) -> Occasion:
    """Create an occasion: a day of the year on which somebody receives flowers."""
    return await occasions.create_occasion(caller, id, body)


@routes.get("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:read")
async def get_occasion(caller: Caller, id: int, occasion_id: int) -> Occasion:
    """Return an occasion."""
    return await occasions.get_occasion(caller, id, occasion_id)


@routes.patch("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:write")
async def update_occasion(caller: Caller, id: int, occasion_id: int, body: OccasionChange) -> Occasion:
    """Update an occasion; omitted fields are kept, and a new day resets its next reminder."""
    return await occasions.update_occasion(caller, id, occasion_id, body)


@routes.delete("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:write")
async def delete_occasion(caller: Caller, id: int, occasion_id: int) -> None:
    """Delete an occasion."""
    await occasions.delete_occasion(caller, id, occasion_id)
