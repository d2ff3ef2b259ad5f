"""The cash that drivers hold, for owners and staff."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_payments.records.balances import DriverCash, DriverCashWithEntries
from comanda_payments.services.bills import driver_cash

routes = Routes("Payments")
staff_routes = Routes("Payments", callers=STAFF_ONLY)


@routes.get("/restaurants/{id}/driver-cash", scope="orders:read")
async def list_driver_cash(caller: Caller, id: int, page: PageRequest) -> RecordPage[DriverCash]:
    """List the drivers who hold cash of a store, newest first, and how much each has to hand in."""
    return await driver_cash.list_driver_cash(caller, id, page)


@routes.get("/restaurants/{id}/driver-cash/{driverId}", scope="orders:read")
async def get_driver_cash(caller: Caller, id: int, driver_id: int) -> DriverCashWithEntries:
    """Return the cash of a store that a driver holds, with the newest 100 changes."""
    return await driver_cash.get_driver_cash(caller, id, driver_id)


@staff_routes.get("/staff/driver-cash", scope=Permission.ORDERS)
async def list_driver_cash_for_staff(caller: Caller, page: PageRequest) -> RecordPage[DriverCash]:
    """List the drivers who hold cash of your store, newest first, and how much each has to hand in."""
    return await driver_cash.list_driver_cash(caller, caller.known_store_id, page)


@staff_routes.get("/staff/driver-cash/{driverId}", scope=Permission.ORDERS)
async def get_driver_cash_for_staff(caller: Caller, driver_id: int) -> DriverCashWithEntries:
    """Return the cash of your store that a driver holds, with the newest 100 changes."""
    return await driver_cash.get_driver_cash(caller, caller.known_store_id, driver_id)
