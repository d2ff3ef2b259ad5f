"""Earnings and collected cash of the calling driver."""

from comanda.contracts import ANY_SCOPE, Caller, PageRequest, RecordPage, Routes

from comanda_drivers.records.earnings import EarningsSummary, HeldCash
from comanda_drivers.schemas.shifts import EarningsQuery
from comanda_drivers.services.earnings import cash, earnings

routes = Routes("Driver", callers=("driver",))


@routes.get("/driver/earnings", scope=ANY_SCOPE, cors=True)
async def get_earnings(caller: Caller, query: EarningsQuery) -> EarningsSummary:
    """Return your earnings in a period of at most 92 days; the current week by default."""
    return await earnings.get_earnings(caller, query)


@routes.get("/driver/cash", scope=ANY_SCOPE, cors=True)
async def list_cash(caller: Caller, page: PageRequest) -> RecordPage[HeldCash]:
    """List the cash that you have collected and not handed in yet, by store."""
    return await cash.list_held_cash(caller, page)
