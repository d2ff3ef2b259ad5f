"""Routes for customers of tool hire."""

from comanda.contracts import ANY_SCOPE, Caller, PageRequest, RecordPage, Routes

from comanda_rental.records import Booking
from comanda_rental.services import bookings

routes = Routes("Customer", callers=("customer",))


@routes.get("/customer/rental/bookings", scope=ANY_SCOPE, cors=True)
async def list_own_bookings(caller: Caller, page: PageRequest) -> RecordPage[Booking]:
    """List the tools that you have hired, newest first, 20 per page."""
    return await bookings.list_own_bookings(caller, page)
