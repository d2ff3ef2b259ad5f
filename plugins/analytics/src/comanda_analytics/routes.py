"""Analytics, for owners and for staff."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import Routes
from comanda.errors import NotFound
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_analytics import services
from comanda_analytics.schemas import ReportOut, ReportQuery

routes = Routes("Analytics")
staff_routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/restaurants/{id}/analytics", scope="analytics:read", answers=ReportOut)
async def show_analytics(caller: Caller, id: int, query: ReportQuery) -> dict[str, Any]:
    """Report what a store sold on the days ``from`` to ``to`` of its calendar; by default the last 30 days.

    ``by_day=true`` adds each day, ``compare=true`` the sums of as many days right before.
    """
    return await _report(caller, id, query)


@staff_routes.get("/staff/analytics", scope=Permission.ANALYTICS.value, answers=ReportOut)
async def show_staff_analytics(caller: Caller, query: ReportQuery) -> dict[str, Any]:
    """Report what the store of the member of staff sold, as for owners; it takes the permission ``analytics``."""
    if caller.store_id is None:
        raise NotFound
    return await _report(caller, caller.store_id, query)


async def _report(caller: Caller, store_id: int, query: ReportQuery) -> dict[str, Any]:
    return await services.report(caller, store_id, query.from_, query.to, by_day=query.by_day, compare=query.compare)
