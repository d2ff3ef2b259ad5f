"""Guests and their segments, as owners see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_customers.schemas.guests import GuestChange, GuestOut, GuestQuery, SegmentOut
from comanda_customers.services import guests

routes = Routes("Guests")


@routes.get("/restaurants/{id}/guests", scope="customers:read", answers=Page[GuestOut])
async def list_guests(caller: Caller, id: int, query: GuestQuery, page: PageRequest) -> dict[str, Any]:
    """List whoever ordered at a store, the latest first, 20 per page; filter by ``segment`` and ``search``."""
    return await guests.page_of_guests(caller, id, query, page)


@routes.get("/restaurants/{id}/guests/segments", scope="customers:read", answers=Page[SegmentOut])
async def list_segments(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """Count a store's guests by segment, and what they have spent."""
    return await guests.page_of_segments(caller, id, page)


@routes.get("/restaurants/{id}/guests/{guestId}", scope="customers:read", answers=GuestOut)
async def show_guest(caller: Caller, id: int, guest_id: int) -> dict[str, Any]:
    """Show a guest."""
    return await guests.guest(caller, id, guest_id)


@routes.put("/restaurants/{id}/guests/{guestId}", scope="customers:write", answers=GuestOut)
async def change_guest(caller: Caller, id: int, guest_id: int, body: GuestChange) -> dict[str, Any]:
    """Tag a guest, or give them another name than their orders do; fields left out stay as they are."""
    return await guests.change_guest(caller, id, guest_id, body)
