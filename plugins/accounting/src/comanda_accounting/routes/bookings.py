"""Files of closed days for bookkeeping."""

from comanda.contracts import Answer, Caller, Routes

from comanda_accounting.records import AccountingPeriod
from comanda_accounting.schemas import AccountingExportQuery, PeriodQuery
from comanda_accounting.services import exports

routes = Routes("Accounting")

ACCOUNTING = "/restaurants/{id}/accounting"
SCOPE = "analytics:read"


@routes.get(ACCOUNTING, scope=SCOPE)
async def get_accounting_period(caller: Caller, id: int, query: PeriodQuery) -> AccountingPeriod:
    """Return the closings of the days ``from`` to ``to``, and what keeps their files from being made."""
    return await exports.get_period(caller, id, query)


@routes.get(f"{ACCOUNTING}/export", scope=SCOPE, answers=bytes, content_types=(exports.CONTENT_TYPE,))
async def export_closings(caller: Caller, id: int, query: AccountingExportQuery) -> Answer:
    """Return the bookings of closed days as a file; days that are not closed are not in it.

    ``format=journal`` is a CSV file with two rows for each booking, ``format=datev`` a ``Buchungsstapel``. 409 with the
    ``reason`` ``missing_accounts`` if a tax rate has no account, or ``not_for_datev``, such as without the number of
    the client. The header ``Closed-To`` is the last day that is closed.
    """
    return await exports.export_closings(caller, id, query)
