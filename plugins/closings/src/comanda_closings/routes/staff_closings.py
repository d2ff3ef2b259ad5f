"""Closings of business days, for managers in their store."""

from comanda.basics import Forbidden
from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_closings.records import Closing, ClosingSummary, OpenDays
from comanda_closings.schemas import ClosingBody
from comanda_closings.services import closings

routes = Routes("Closings", callers=STAFF_ONLY)

ANALYTICS = Permission.ANALYTICS.value
# Staff who may give refunds may also close the day on which they are made.
CLOSING_PERMISSION = Permission.COUPONS


@routes.get("/staff/closings", scope=ANALYTICS)
async def list_closings(caller: Caller, page: PageRequest) -> RecordPage[ClosingSummary]:
    """List the closings of your store, newest first, 20 per page."""
    return await closings.list_closings(caller, caller.known_store_id, page)


@routes.get("/staff/closings/open", scope=ANALYTICS)
async def get_open_days(caller: Caller) -> OpenDays:
    """Return the totals of the business days that are not closed (X), which changes nothing."""
    return await closings.get_open_days(caller, caller.known_store_id)


@routes.post("/staff/closings", scope=ANALYTICS, answers=Closing, headers=(key_header("closing"),))
async def close_day(caller: Caller, body: ClosingBody, call: Call) -> Answer:
    """Close the business days up to ``day``, by default today (Z), as owners do.

    Requires the permission ``coupons`` in addition to ``analytics``; managers have both.
    """
    if not caller.may(CLOSING_PERMISSION):
        raise Forbidden(
            f"Closing days requires the permission {CLOSING_PERMISSION}.", extras={"required": CLOSING_PERMISSION.value}
        )
    return (await closings.close_day(caller, caller.known_store_id, body, IdempotencyKey.of(call))).answer()


@routes.get("/staff/closings/{closingId}", scope=ANALYTICS)
async def get_closing(caller: Caller, closing_id: int) -> Closing:
    """Return a closing of your store with all totals."""
    return await closings.get_closing(caller, caller.known_store_id, closing_id)
