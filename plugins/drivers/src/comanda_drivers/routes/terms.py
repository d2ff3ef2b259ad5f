"""Delivery terms of a store."""

from comanda.contracts import Caller, Routes

from comanda_drivers.records.delivery_terms import StoreDeliveryTerms
from comanda_drivers.schemas.terms import TermsChange
from comanda_drivers.services.terms import delivery_terms

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/delivery-terms", scope="restaurants:read")
async def get_terms(caller: Caller, id: int) -> StoreDeliveryTerms:
    """Return a store's delivery terms: fees, distance limits, dispatch, and limits for drivers."""
    return await delivery_terms.get_store_terms(caller, id)


@routes.put("/restaurants/{id}/delivery-terms", scope="restaurants:write")
async def update_terms(caller: Caller, id: int, body: TermsChange) -> StoreDeliveryTerms:
    """Update a store's delivery terms; omitted fields stay unchanged, null clears them; orders keep their fee."""
    return await delivery_terms.update_store_terms(caller, id, body)
