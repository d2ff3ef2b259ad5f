"""The cash that drivers hold, for owners and for the people who work in a store."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.errors import NotFound
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_payments import driver_cash
from comanda_payments.schemas import DriverCashOut, DriverCashWhole

routes = Routes("Payments")
staff_routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/restaurants/{id}/driver-cash", scope="orders:read", answers=Page[DriverCashOut])
async def list_driver_cash(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the drivers who hold cash of a store, newest first, and how much each has to hand in."""
    return await driver_cash.page_of_held(caller, id, page)


@routes.get("/restaurants/{id}/driver-cash/{driverId}", scope="orders:read", answers=DriverCashWhole)
async def show_driver_cash(caller: Caller, id: int, driver_id: int) -> dict[str, Any]:
    """Describe the cash of a store that a driver holds, with the newest 100 changes."""
    return await driver_cash.held_of_driver(caller, id, driver_id)


@staff_routes.get("/staff/driver-cash", scope=Permission.ORDERS, answers=Page[DriverCashOut])
async def list_driver_cash_of_store(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the drivers who hold cash of one's store, newest first, and how much each has to hand in."""
    return await driver_cash.page_of_held(caller, _store_of(caller), page)


@staff_routes.get("/staff/driver-cash/{driverId}", scope=Permission.ORDERS, answers=DriverCashWhole)
async def show_driver_cash_of_store(caller: Caller, driver_id: int) -> dict[str, Any]:
    """Describe the cash of one's store that a driver holds, with the newest 100 changes."""
    return await driver_cash.held_of_driver(caller, _store_of(caller), driver_id)


def _store_of(caller: Caller) -> int:
    if caller.store_id is None:
        raise NotFound
    return caller.store_id
