"""Terms of delivery, as owners decide them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes

from comanda_drivers import terms
from comanda_drivers.schemas.terms import TermsChange, TermsOut

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/delivery-terms", scope="restaurants:read", answers=TermsOut)
async def show_terms(caller: Caller, id: int) -> dict[str, Any]:
    """Show what deliveries of a store cost, how far they go, and what drivers may take at once."""
    return await terms.show(caller, id)


@routes.put("/restaurants/{id}/delivery-terms", scope="restaurants:write", answers=TermsOut)
async def change_terms(caller: Caller, id: int, body: TermsChange) -> dict[str, Any]:
    """Change a store's terms of delivery; fields left out stay, null takes away, orders keep what they cost."""
    return await terms.change(caller, id, body)
