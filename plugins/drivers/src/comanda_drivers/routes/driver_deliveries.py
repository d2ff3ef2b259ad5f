"""What drivers see and do."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.paging import Page, PageRequest
from comanda.http.routes import ANY_SCOPE, Routes

from comanda_drivers.schemas.deliveries import (
    AvailableDelivery,
    DriverDelivery,
    DriverDeliveryQuery,
    ProgressBody,
)
from comanda_drivers.services import driver_deliveries

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/deliveries", scope=ANY_SCOPE, cors=True, answers=Page[DriverDelivery])
async def list_deliveries(caller: Caller, query: DriverDeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List the orders that one has, newest first, 30 per page; ``active=1`` hides delivered and failed ones."""
    return await driver_deliveries.list_assigned(caller, page, active=query.active)


@routes.get("/driver/available", scope=ANY_SCOPE, cors=True, answers=Page[AvailableDelivery])
async def list_available(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the deliveries that nobody has, the nearest first, then the oldest, 20 per page."""
    return await driver_deliveries.list_available(caller, page)


@routes.post("/driver/deliveries/{orderId}/claim", scope=ANY_SCOPE, cors=True, status=200, answers=DriverDelivery)
async def claim_delivery(caller: Caller, order_id: int) -> dict[str, Any]:
    """Take a delivery that nobody has; 409 with the ``reason`` ``already_claimed`` once another has it."""
    return await driver_deliveries.claim_delivery(caller, order_id)


@routes.put("/driver/deliveries/{orderId}/status", scope=ANY_SCOPE, cors=True, answers=DriverDelivery)
async def update_status(caller: Caller, order_id: int, body: ProgressBody) -> dict[str, Any]:
    """Say how far one is: ``picked_up``, ``out_for_delivery``, then ``delivered`` or ``failed``; only forwards.

    With ``delivered``, ``cash_collected`` is the cash that was taken: all that is due, if it is left out.
    """
    return await driver_deliveries.update_status(caller, order_id, body)
