"""Management of drivers by their owner."""

from comanda.contracts import Caller, Page, PageRequest, RecordPage, Routes

from comanda_drivers.records.drivers import Driver, IssuedDriver
from comanda_drivers.records.earnings import Adjustment
from comanda_drivers.schemas.drivers import DriverBody, DriverChange, DriverOut, DriverQuery, DriverWithToken
from comanda_drivers.schemas.shifts import EarningAdjustmentBody
from comanda_drivers.services.accounts import driver_accounts, drivers
from comanda_drivers.services.earnings import earnings

routes = Routes("Drivers")


@routes.get("/drivers", scope="drivers:read", answers=Page[DriverOut])
async def list_drivers(caller: Caller, query: DriverQuery, page: PageRequest) -> RecordPage[Driver]:
    """List your drivers, newest first, 20 per page; filter by ``restaurant_id`` and ``is_working``."""
    return await driver_accounts.list_drivers(caller, query, page)


@routes.get("/drivers/{id}", scope="drivers:read", answers=DriverOut)
async def get_driver(caller: Caller, id: int) -> Driver:
    """Return a driver, with the last location while they work."""
    return await drivers.get_driver(caller, id)


@routes.post("/drivers", scope="drivers:write", answers=DriverWithToken)
async def create_driver(caller: Caller, body: DriverBody) -> IssuedDriver:
    """Create a driver and return their ``token``, which is shown only once and never expires."""
    return await driver_accounts.create_driver(caller, body)


@routes.put("/drivers/{id}", scope="drivers:write", answers=DriverOut)
async def update_driver(caller: Caller, id: int, body: DriverChange) -> Driver:
    """Update a driver; omitted fields stay unchanged. ``is_active`` false revokes all of their tokens."""
    return await driver_accounts.update_driver(caller, id, body)


@routes.delete("/drivers/{id}", scope="drivers:write")
async def delete_driver(caller: Caller, id: int) -> None:
    """Delete a driver and revoke their tokens; 409 while they have active deliveries. Past orders keep the driver."""
    await driver_accounts.delete_driver(caller, id)


@routes.post("/drivers/{id}/rotate-token", scope="drivers:write", status=200, answers=DriverWithToken)
async def rotate_token(caller: Caller, id: int) -> IssuedDriver:
    """Revoke all tokens of a driver, including logins, and return a new one, which is shown only once."""
    return await driver_accounts.rotate_token(caller, id)


@routes.post("/drivers/{id}/adjustments", scope="drivers:write")
async def create_adjustment(caller: Caller, id: int, body: EarningAdjustmentBody) -> Adjustment:
    """Add an ``amount`` to a driver's earnings; a negative one is deducted. The driver sees the ``reason``."""
    return await earnings.create_adjustment(caller, id, body)
