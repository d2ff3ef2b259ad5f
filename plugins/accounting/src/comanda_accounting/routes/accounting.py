"""Files of closed days for bookkeeping."""

from comanda.contracts import Answer, Caller, Routes

from comanda_accounting.records import AccountingPeriod
from comanda_accounting.schemas import PeriodQuery
from comanda_accounting.services import exports

routes = Routes("Accounting")

ACCOUNTING = "/restaurants/{id}/accounting"
SCOPE = "analytics:read"


@routes.get(ACCOUNTING, scope=SCOPE)
async def get_accounting_period(caller: Caller, id: int, query: PeriodQuery) -> AccountingPeriod:
    """Return the closings of the days ``from`` to ``to``, and what keeps their files from being made."""
    return await exports.get_period(caller, id, query)


@routes.get(f"{ACCOUNTING}/journal", scope=SCOPE, answers=bytes, content_types=(exports.CONTENT_TYPE,))
async def export_journal(caller: Caller, id: int, query: PeriodQuery) -> Answer:
    """Return the journal of closed days as CSV; days that are not closed are not in it.

    409 with the ``reason`` ``missing_accounts`` if a tax rate has no account. The header ``Closed-To`` is the last day
    that is closed.
    """
    return await exports.export_journal(caller, id, query)


@routes.get(f"{ACCOUNTING}/datev", scope=SCOPE, answers=bytes, content_types=(exports.CONTENT_TYPE,))
async def export_datev(caller: Caller, id: int, query: PeriodQuery) -> Answer:
    """Return closed days as a DATEV ``Buchungsstapel``; days that are not closed are not in it.

    409 with the ``reason`` ``missing_accounts``, or ``not_for_datev``, such as without the number of the client. The
    header ``Closed-To`` is the last day that is closed.
    """
    return await exports.export_datev(caller, id, query)
