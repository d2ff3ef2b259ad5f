"""Day reports for owners and staff."""

from comanda.contracts import Answer, Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_closings.records import DayReport
from comanda_closings.schemas import DayReportExportQuery, DayReportQuery
from comanda_closings.services import reports, tables

routes = Routes("Day reports")
staff_routes = Routes("Day reports", callers=STAFF_ONLY)


@routes.get("/restaurants/{id}/day-report", scope="analytics:read")
async def get_report(caller: Caller, id: int, query: DayReportQuery) -> DayReport:
    """Return what was sold, paid and refunded on the days ``from`` to ``to``, each on the day on which it was done.

    ``day=business`` counts the store's business days, ``day=calendar`` those of its calendar. ``also`` adds further
    stores.
    """
    return await reports.create_report(caller, id, query)


@routes.get(
    "/restaurants/{id}/day-report/export", scope="analytics:read", answers=bytes, content_types=(tables.CONTENT_TYPE,)
)
async def export_report(caller: Caller, id: int, query: DayReportExportQuery) -> Answer:
    """Return one table of a day report as CSV."""
    report = await reports.create_report(caller, id, query)
    return tables.to_csv(query.table, report, report.days, report.first, report.last)


@staff_routes.get("/staff/day-report", scope=Permission.ANALYTICS.value)
async def get_staff_report(caller: Caller, query: DayReportQuery) -> DayReport:
    """Return the day report of your store, as for owners. Requires the permission ``analytics``."""
    return await reports.create_report(caller, caller.known_store_id, query)
