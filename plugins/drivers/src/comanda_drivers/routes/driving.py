"""What drivers see and do."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, Routes

from comanda_drivers.schemas.deliveries import (
    AvailableDelivery,
    DriverCashHeld,
    DriverDelivery,
    DriverDeliveryQuery,
    ProgressBody,
)
from comanda_drivers.schemas.drivers import DriverOut
from comanda_drivers.schemas.entering import DriverLoggedOut, DutyBody, DutyOut, Located, LocationBody
from comanda_drivers.services import cash, driving, entering, presence

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/me", scope=ANY_SCOPE, cors=True, answers=DriverOut)
async def show_me(caller: Caller) -> dict[str, Any]:
    """Show one's profile."""
    return await presence.me(caller)


@routes.post("/driver/logout", scope=ANY_SCOPE, cors=True, status=200, answers=DriverLoggedOut)
async def logout(caller: Caller) -> dict[str, Any]:
    """Log out on this phone: the token that was used is void, others stay."""
    return await entering.logout(caller)


@routes.get("/driver/deliveries", scope=ANY_SCOPE, cors=True, answers=Page[DriverDelivery])
async def list_deliveries(caller: Caller, query: DriverDeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List the orders that one has, newest first, 30 per page; ``active=1`` hides delivered and failed ones."""
    return await driving.page_of_mine(caller, page, active=query.active)


@routes.get("/driver/available", scope=ANY_SCOPE, cors=True, answers=Page[AvailableDelivery])
async def list_available(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the deliveries that nobody has, the nearest first, then the oldest, 20 per page."""
    return await driving.page_of_available(caller, page)


@routes.post("/driver/deliveries/{orderId}/claim", scope=ANY_SCOPE, cors=True, status=200, answers=DriverDelivery)
async def claim(caller: Caller, order_id: int) -> dict[str, Any]:
    """Take a delivery that nobody has; 409 with the ``reason`` ``already_claimed`` once another has it."""
    return await driving.claim(caller, order_id)


@routes.put("/driver/deliveries/{orderId}/status", scope=ANY_SCOPE, cors=True, answers=DriverDelivery)
async def change_status(caller: Caller, order_id: int, body: ProgressBody) -> dict[str, Any]:
    """Say how far one is: ``picked_up``, ``out_for_delivery``, then ``delivered`` or ``failed``; only forwards.

    With ``delivered``, ``cash_collected`` is the cash that was taken: all that is due, if it is left out.
    """
    return await driving.progress(caller, order_id, body)


@routes.get("/driver/cash", scope=ANY_SCOPE, cors=True, answers=Page[DriverCashHeld])
async def list_cash(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the cash that one has taken at doors and not handed in yet, by store."""
    return await cash.page_of_held(caller, page)


@routes.put("/driver/location", scope=ANY_SCOPE, cors=True, answers=Located)
async def locate(caller: Caller, body: LocationBody) -> dict[str, Any]:
    """Say where one is; customers see it while their order is on its way. One point a second counts."""
    return await presence.locate(caller, body)


@routes.post("/driver/shift", scope=ANY_SCOPE, cors=True, status=200, answers=DutyOut)
async def turn_shift(caller: Caller, body: DutyBody) -> dict[str, Any]:
    """Begin or end one's shift, or turn it without a ``status``; 409 with deliveries to bring, unless ``force``."""
    return await presence.turn(caller, body)
