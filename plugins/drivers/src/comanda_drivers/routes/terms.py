"""Terms of delivery, as owners decide them."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.routes import Routes

from comanda_drivers.schemas.terms import TermsChange, TermsOut
from comanda_drivers.services import delivery_terms

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/delivery-terms", scope="restaurants:read", answers=TermsOut)
async def get_terms(caller: Caller, id: int) -> dict[str, Any]:
    """Show what deliveries of a store cost, how far they go, and what drivers may take at once."""
    return await delivery_terms.get_store_terms(caller, id)


@routes.put("/restaurants/{id}/delivery-terms", scope="restaurants:write", answers=TermsOut)
async def update_terms(caller: Caller, id: int, body: TermsChange) -> dict[str, Any]:
    """Change a store's terms of delivery; fields left out stay, null takes away, orders keep what they cost."""
    return await delivery_terms.update_store_terms(caller, id, body)
