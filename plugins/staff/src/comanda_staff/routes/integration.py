"""How the store keeps up and what it is out of, for other order channels and for whoever is at the till."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import ANY_SCOPE, Routes
from comanda.stores.intake_status import PaceBody

from comanda_staff.api import STAFF_ONLY
from comanda_staff.schemas.integration import SnoozeBody, SnoozedOut, StoreStatus
from comanda_staff.services import channels

routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/staff/integration/status", scope=ANY_SCOPE, answers=StoreStatus)
async def show_status(caller: Caller) -> dict[str, Any]:
    """Tell whether the store takes orders as ever, is busy or paused, its channels, and what is sold out."""
    return await channels.status(caller)


@routes.post("/staff/integration/busy", scope=ANY_SCOPE, status=200, answers=StoreStatus)
async def set_pace(caller: Caller, body: PaceBody) -> dict[str, Any]:
    """Say that the store is online, busy or paused; the last two end at ``until``, at the latest when it closes."""
    return await channels.set_pace(caller, body)


@routes.post("/staff/integration/snooze", scope=ANY_SCOPE, status=200, answers=SnoozedOut)
async def snooze(caller: Caller, body: SnoozeBody) -> dict[str, Any]:
    """Mark items and extras as sold out, or as back with ``snoozed`` false; items until a time if one is given."""
    return await channels.snooze(caller, body)
