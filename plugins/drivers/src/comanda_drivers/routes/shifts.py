"""The profile, shift and location of the calling driver."""

from comanda.contracts import ANY_SCOPE, Caller, Routes

from comanda_drivers.records.drivers import Driver, DriverShift
from comanda_drivers.schemas.drivers import DriverOut
from comanda_drivers.schemas.shifts import DutyBody, Located, LocationBody
from comanda_drivers.services.accounts import drivers, locations, shifts

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/me", scope=ANY_SCOPE, cors=True, answers=DriverOut)
async def get_profile(caller: Caller) -> Driver:
    """Return your profile."""
    return await drivers.get_current_driver(caller)


@routes.put("/driver/location", scope=ANY_SCOPE, cors=True)
async def update_location(caller: Caller, body: LocationBody) -> Located:
    """Update your location, at most once per second. Customers see it while their order is on its way."""
    await locations.update_location(caller, body)
    return Located(ok=True)


@routes.post("/driver/shift", scope=ANY_SCOPE, cors=True, status=200)
async def update_shift(caller: Caller, body: DutyBody) -> DriverShift:
    """Start or end your shift, or toggle it without a ``status``; 409 with active deliveries, unless ``force``."""
    return await shifts.update_shift(caller, body)
