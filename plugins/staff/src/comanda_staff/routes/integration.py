"""Store status and sold-out items, for other order channels and for staff."""

from comanda.contracts import ANY_SCOPE, Caller, Routes
from comanda.stores import PaceBody

from comanda_staff.api import STAFF_ONLY
from comanda_staff.records import SoldOut, StoreIntake
from comanda_staff.schemas.integration import SnoozeBody
from comanda_staff.services import integration

routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/staff/integration/status", scope=ANY_SCOPE)
async def get_status(caller: Caller) -> StoreIntake:
    """Return whether the store is online, busy or paused, its order channels, and what is sold out."""
    return await integration.get_status(caller)


@routes.post("/staff/integration/busy", scope=ANY_SCOPE, status=200)
async def update_status(caller: Caller, body: PaceBody) -> StoreIntake:
    """Set the store to online, busy or paused; busy and paused end at ``until``, at the latest when it closes."""
    return await integration.update_status(caller, body)


@routes.post("/staff/integration/snooze", scope=ANY_SCOPE, status=200)
async def update_snoozed(caller: Caller, body: SnoozeBody) -> SoldOut:
    """Mark items and extras as sold out, until a time if one is given, or as available with ``snoozed`` false."""
    return await integration.update_snoozed(caller, body)
