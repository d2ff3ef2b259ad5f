"""Following an order without an account."""

from typing import Any

from comanda.contracts.routes import PUBLIC, Routes
from comanda.orders import queries
from comanda.orders.schemas import Tracking

routes = Routes("Public", callers=PUBLIC)


@routes.get("/track/{token}", cors=True, answers=Tracking)
async def track(token: str) -> dict[str, Any]:
    """Show how an order is coming along to whoever holds its ``track_token``."""
    return await queries.get_tracking(token)
