"""Reports of days: the totals of a range of days, of one store or several."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, extend_record
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import DayKind, get_day, require_store
from comanda_analytics.api import resolve_period

from comanda_closings.records import DayFigures, DayReport
from comanda_closings.schemas import MAX_STORES, DayReportQuery
from comanda_closings.services import backfill, day_counts
from comanda_closings.services.day_totals import list_day_totals
from comanda_closings.services.figures import Sums
from comanda_closings.services.totals import create_figures, create_totals

SELECT_IS_COMPLETE = "SELECT is_complete FROM closings_store WHERE store_id = $1 AND owner_id = $2"


async def create_report(caller: Caller, store_id: int, query: DayReportQuery) -> DayReport:
    """Create a report of a store, and of further ones.

    Raises ``NotFound`` for a store that is not the caller's; ``ValidationFailed`` for too many days or stores, or
    stores of several currencies; ``Conflict`` with the reason ``counting`` while old orders are counted.
    """
    stores = await _list_stores(caller, [store_id, *query.further_store_ids])
    first_store = stores[0]
    start_minutes = first_store["day_start_minutes"] if query.day is DayKind.BUSINESS else 0
    last = query.to or get_day(clock.now(), ZoneInfo(first_store["timezone"]), start_minutes)
    period = resolve_period(query.from_ or last, last, last)
    for store in stores:
        await require_counted(caller.owner_id, store["id"])
    ids = [store["id"] for store in stores]
    by_day = await list_day_totals(caller.owner_id, ids, query.day, period.first, period.last)
    sums, currency = Sums(), first_store["currency"]
    for each in by_day.values():
        sums.add_all(each)
    return extend_record(
        DayReport,
        await create_totals(caller.owner_id, sums, currency),
        restaurant_ids=ids,
        currency=currency,
        day=query.day,
        first=period.first,
        last=period.last,
        days=[DayFigures(day, create_figures(by_day.get(day, Sums()), currency)) for day in period.list_dates()],
    )


async def require_counted(owner_id: int, store_id: int) -> None:
    """Count the orders from before the plugin was installed, if they are few, or raise ``Conflict``."""
    if await sql.fetch_value(SELECT_IS_COMPLETE, store_id, owner_id) or await backfill.count_slice(store_id, owner_id):
        return
    day_counts.request_backfill()
    raise Conflict(
        Sentence("The orders of this store are still being counted. Try again later."), extras={"reason": "counting"}
    )


async def _list_stores(caller: Caller, store_ids: Sequence[int]) -> list[sql.Row]:
    ids = list(dict.fromkeys(store_ids))
    if len(ids) > MAX_STORES:
        raise ValidationFailed(also=[Sentence("A report can cover at most %(limit)s stores.", limit=MAX_STORES)])
    stores = [await require_store(caller, id) for id in ids]
    if len({store["currency"] for store in stores}) > 1:
        raise ValidationFailed(also=["Must be stores of the same currency."])
    return stores
