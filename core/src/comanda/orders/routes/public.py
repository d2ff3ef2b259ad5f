"""Route of order tracking without an account."""

from typing import Any

from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.orders import queries
from comanda.orders.order_json import to_tracking_json
from comanda.orders.schemas import Tracking

routes = Routes("Public", callers=PUBLIC)


@routes.get("/track/{token}", cors=True, answers=Tracking)
async def get_tracking(token: str) -> dict[str, Any]:
    """Return the status of the order with this ``track_token``."""
    return to_tracking_json(await queries.get_tracking(token))
