"""Guests and segments of a store, for its owner."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_customers.records.guests import GuestProfile, SegmentTotals
from comanda_customers.schemas.guests import GuestChange, GuestQuery
from comanda_customers.services.guest_list import guests

routes = Routes("Guests")


@routes.get("/restaurants/{id}/guests", scope="customers:read")
async def list_guests(caller: Caller, id: int, query: GuestQuery, page: PageRequest) -> RecordPage[GuestProfile]:
    """List a store's guests, latest visit first, 20 per page; filter by ``segment`` and ``search``."""
    return await guests.list_guests(caller, id, query, page)


@routes.get("/restaurants/{id}/guests/segments", scope="customers:read")
async def list_segments(caller: Caller, id: int, page: PageRequest) -> RecordPage[SegmentTotals]:
    """List all segments with their number of guests and total spent."""
    return await guests.list_segments(caller, id, page)


@routes.get("/restaurants/{id}/guests/{guestId}", scope="customers:read")
async def get_guest(caller: Caller, id: int, guest_id: int) -> GuestProfile:
    """Return a guest."""
    return await guests.get_guest(caller, id, guest_id)


@routes.put("/restaurants/{id}/guests/{guestId}", scope="customers:write")
async def update_guest(caller: Caller, id: int, guest_id: int, body: GuestChange) -> GuestProfile:
    """Update a guest's tags, or override the name from the orders; fields left out are unchanged."""
    return await guests.update_guest(caller, id, guest_id, body)
