"""Routes for the vehicles that a store's parts fit."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_carparts.records import Make, StoreFitment
from comanda_carparts.schemas import FitmentQuery
from comanda_carparts.services import fitments

routes = Routes("Fitments")


@routes.get("/restaurants/{id}/fitments", scope="menu:read")
async def list_fitments(caller: Caller, id: int, query: FitmentQuery, page: PageRequest) -> RecordPage[StoreFitment]:
    """List the vehicles that items fit, 20 per page; filter by ``make``, ``model``, ``year`` and ``item_id``."""
    return await fitments.list_fitments(caller, id, query, page)


@routes.get("/restaurants/{id}/fitments/makes", scope="menu:read")
async def list_makes(caller: Caller, id: int, page: PageRequest) -> RecordPage[Make]:
    """List makes with their models, 20 makes per page, such as for a vehicle picker."""
    return await fitments.list_makes(caller, id, page)


@routes.get("/restaurants/{id}/fitments/{fitmentId}", scope="menu:read")
async def get_fitment(caller: Caller, id: int, fitment_id: int) -> StoreFitment:
    """Return a range of vehicles and the items that fit it."""
    return await fitments.get_fitment(caller, id, fitment_id)
