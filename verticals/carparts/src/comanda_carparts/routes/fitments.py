"""Which vehicles the parts of a store fit."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_carparts import services
from comanda_carparts.schemas import FitmentOut, FitmentQuery, MakeOut

routes = Routes("Fitments")


@routes.get("/restaurants/{id}/fitments", scope="menu:read", answers=Page[FitmentOut])
async def list_fitments(caller: Caller, id: int, query: FitmentQuery, page: PageRequest) -> dict[str, Any]:
    """List the vehicles that items fit, 20 per page; filter by ``make``, ``model``, ``year`` and ``item_id``."""
    return await services.page_of_fitments(caller, id, query, page)


@routes.get("/restaurants/{id}/fitments/makes", scope="menu:read", answers=Page[MakeOut])
async def list_makes(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the makes of those vehicles with their models, 20 makes per page, to choose a vehicle by."""
    return await services.page_of_makes(caller, id, page)


@routes.get("/restaurants/{id}/fitments/{fitmentId}", scope="menu:read", answers=FitmentOut)
async def show_fitment(caller: Caller, id: int, fitment_id: int) -> dict[str, Any]:
    """Show a range of vehicles and the items that fit it."""
    return await services.fitment(caller, id, fitment_id)
