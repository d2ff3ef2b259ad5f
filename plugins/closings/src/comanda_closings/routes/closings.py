"""Closings of business days, for owners."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header

from comanda_closings.records import Closing, ClosingSummary, OpenDays
from comanda_closings.schemas import ClosingBody, TableQuery
from comanda_closings.services import closings, tables

routes = Routes("Closings")

CLOSINGS = "/restaurants/{id}/closings"
CLOSING = f"{CLOSINGS}/{{closingId}}"


@routes.get(CLOSINGS, scope="analytics:read")
async def list_closings(caller: Caller, id: int, page: PageRequest) -> RecordPage[ClosingSummary]:
    """List the closings of a store, newest first, 20 per page."""
    return await closings.list_closings(caller, id, page)


@routes.get(f"{CLOSINGS}/open", scope="analytics:read")
async def get_open_days(caller: Caller, id: int) -> OpenDays:
    """Return the totals of the business days that are not closed (X), which changes nothing."""
    return await closings.get_open_days(caller, id)


@routes.post(CLOSINGS, scope="analytics:write", answers=Closing, headers=(key_header("closing"),))
async def close_day(caller: Caller, id: int, body: ClosingBody, call: Call) -> Answer:
    """Close the business days up to ``day``, by default today (Z); their totals never change again.

    409 with the ``reason`` ``day_closed``, or ``open_checks`` or ``open_drawers`` unless the store's settings allow
    them.
    """
    return (await closings.close_day(caller, id, body, IdempotencyKey.of(call))).answer()


@routes.get(CLOSING, scope="analytics:read")
async def get_closing(caller: Caller, id: int, closing_id: int) -> Closing:
    """Return a closing with all totals."""
    return await closings.get_closing(caller, id, closing_id)


@routes.get(f"{CLOSING}/export", scope="analytics:read", answers=bytes, content_types=(tables.CONTENT_TYPE,))
async def export_closing(caller: Caller, id: int, closing_id: int, query: TableQuery) -> Answer:
    """Return one table of a closing as CSV."""
    closing = await closings.get_closing(caller, id, closing_id)
    return tables.to_csv(query.table, closing, (), closing.first, closing.last)
