"""Analytics for owners and staff."""

from comanda.contracts import Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_analytics.records import SalesReport
from comanda_analytics.schemas import ReportQuery
from comanda_analytics.services import reports

routes = Routes("Analytics")
staff_routes = Routes("Analytics", callers=STAFF_ONLY)


@routes.get("/restaurants/{id}/analytics", scope="analytics:read")
async def get_report(caller: Caller, id: int, query: ReportQuery) -> SalesReport:
    """Return a store's sales on the days ``from`` to ``to`` of its calendar; by default the last 30 days.

    ``by_day=true`` includes each day, ``compare=true`` the totals of the preceding period of equal length.
    """
    return await _create_report(caller, id, query)


@staff_routes.get("/staff/analytics", scope=Permission.ANALYTICS.value)
async def get_staff_report(caller: Caller, query: ReportQuery) -> SalesReport:
    """Return the sales of your store, as for owners. Requires the permission ``analytics``."""
    return await _create_report(caller, caller.known_store_id, query)


async def _create_report(caller: Caller, store_id: int, query: ReportQuery) -> SalesReport:
    return await reports.create_report(
        caller, store_id, query.from_, query.to, by_day=query.by_day, compare=query.compare
    )
