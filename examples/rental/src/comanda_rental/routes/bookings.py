"""Routes for bookings and returns."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_rental.records import Booking, Return
from comanda_rental.schemas import ReturnBody
from comanda_rental.services import bookings, returns

routes = Routes("Tool hire")


@routes.get("/restaurants/{id}/rental/bookings", scope="rentals:read")
async def list_bookings(caller: Caller, id: int, page: PageRequest) -> RecordPage[Booking]:
    """List tools that are out or expected, by their last day, 20 per page."""
    return await bookings.list_bookings(caller, id, page)


@routes.put("/restaurants/{id}/rental/orders/{orderId}/return", scope="rentals:write")
async def register_return(caller: Caller, id: int, order_id: int, body: ReturnBody) -> Return:
    """Register that all tools of an order are back, by default today; days after the last one cost a late fee."""
    return await returns.register_return(caller, id, order_id, body)
