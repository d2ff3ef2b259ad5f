"""Drivers, as owners manage them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_drivers.schemas.drivers import DriverBody, DriverChange, DriverOut, DriverWithToken
from comanda_drivers.schemas.earnings import EarningAdjustment, EarningAdjustmentBody
from comanda_drivers.services import earning, managing

routes = Routes("Drivers")


@routes.get("/drivers", scope="drivers:read", answers=Page[DriverOut])
async def list_drivers(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List one's drivers, newest first, 20 per page."""
    return await managing.page_of_drivers(caller, page)


@routes.post("/drivers", scope="drivers:write", answers=DriverWithToken)
async def add_driver(caller: Caller, body: DriverBody) -> dict[str, Any]:
    """Add a driver and get their ``token``, which is shown this once and never expires."""
    return await managing.add(caller, body)


@routes.put("/drivers/{id}", scope="drivers:write", answers=DriverOut)
async def change_driver(caller: Caller, id: int, body: DriverChange) -> dict[str, Any]:
    """Change a driver; fields left out stay. With ``is_active`` false all their tokens are void at once."""
    return await managing.change(caller, id, body)


@routes.delete("/drivers/{id}", scope="drivers:write")
async def delete_driver(caller: Caller, id: int) -> None:
    """Delete a driver and end their tokens; 409 while they have something to deliver. Orders keep who carried them."""
    await managing.delete(caller, id)


@routes.post("/drivers/{id}/rotate-token", scope="drivers:write", status=200, answers=DriverWithToken)
async def rotate_token(caller: Caller, id: int) -> dict[str, Any]:
    """Make every token of a driver void, those of their logins too, and get a new one, which is shown this once."""
    return await managing.rotate_token(caller, id)


@routes.post("/drivers/{id}/adjustments", scope="drivers:write", answers=EarningAdjustment)
async def adjust_earnings(caller: Caller, id: int, body: EarningAdjustmentBody) -> dict[str, Any]:
    """Add an ``amount`` to what a driver earned, or take a negative one from it; the driver reads the ``reason``."""
    return await earning.adjust(caller, id, body)
