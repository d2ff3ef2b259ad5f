"""Occasions, as owners keep them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_florist import occasions
from comanda_florist.schemas import OccasionBody, OccasionChange, OccasionOut

routes = Routes("Florist")


@routes.get("/restaurants/{id}/florist/occasions", scope="customers:read", answers=Page[OccasionOut])
async def list_occasions(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List a flower shop's occasions, those first whose owner is reminded next, 20 per page."""
    return await occasions.page_of_occasions(caller, id, page)


@routes.post("/restaurants/{id}/florist/occasions", scope="customers:write", answers=OccasionOut)
async def add_occasion(caller: Caller, id: int, body: OccasionBody) -> dict[str, Any]:
    """Write down a day of the year on which somebody gets flowers."""
    return await occasions.add_occasion(caller, id, body)


@routes.get("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:read", answers=OccasionOut)
async def show_occasion(caller: Caller, id: int, occasion_id: int) -> dict[str, Any]:
    """Show an occasion."""
    return await occasions.occasion(caller, id, occasion_id)


@routes.patch("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:write", answers=OccasionOut)
async def change_occasion(caller: Caller, id: int, occasion_id: int, body: OccasionChange) -> dict[str, Any]:
    """Change an occasion; fields left out stay as they are, and another day sets its next reminder anew."""
    return await occasions.change_occasion(caller, id, occasion_id, body)


@routes.delete("/restaurants/{id}/florist/occasions/{occasionId}", scope="customers:write")
async def delete_occasion(caller: Caller, id: int, occasion_id: int) -> None:
    """Forget an occasion."""
    await occasions.delete_occasion(caller, id, occasion_id)
