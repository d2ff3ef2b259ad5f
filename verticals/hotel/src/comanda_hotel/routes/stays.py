"""Stays, as the front desk works with them."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.call import Answer, Call, Unvalidated
from comanda.http.paging import Page, PageRequest
from comanda.http.repeats import Key, key_header
from comanda.http.routes import Routes

from comanda_hotel.schemas.stays import (
    RoomMove,
    StayBody,
    StayChange,
    StayDetail,
    StayOut,
    StayQuery,
    StayStatusBody,
)
from comanda_hotel.services import assignment, bookings, modifications, stays, transitions

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/stays", scope="orders:read", answers=Page[StayOut])
async def list_stays(caller: Caller, id: int, query: StayQuery, page: PageRequest) -> dict[str, Any]:
    """List stays, newest first, 20 per page; ``arrivals_on``, ``departures_on`` and ``in_house`` make the boards."""
    return await stays.list_stays(caller, id, query, page)


@routes.post("/restaurants/{id}/stays", scope="orders:write", answers=StayDetail, headers=(key_header("stay"),))
async def book_stay(caller: Caller, call: Call, id: int, body: Unvalidated[StayBody]) -> Answer:
    """Book a stay; 409 with a ``reason`` if nothing is free. A repeated ``Idempotency-Key`` answers with its stay."""
    booked = await bookings.book_stay(caller, id, body, Key.of(call))
    return booked.answer()


@routes.get("/restaurants/{id}/stays/{stayId}", scope="orders:read", answers=StayDetail)
async def get_stay(caller: Caller, id: int, stay_id: int) -> dict[str, Any]:
    """Show a stay with its nights, its folio and its history."""
    return await stays.get_stay(caller, id, stay_id)


@routes.put("/restaurants/{id}/stays/{stayId}", scope="orders:write", answers=StayDetail)
async def update_stay(caller: Caller, id: int, stay_id: int, body: StayChange) -> dict[str, Any]:
    """Change a stay; other dates, guests or room type are checked against what is free and priced anew."""
    return await modifications.update_stay(caller, id, stay_id, body)


@routes.put("/restaurants/{id}/stays/{stayId}/room", scope="orders:write", answers=StayDetail)
async def move_stay(caller: Caller, id: int, stay_id: int, body: RoomMove) -> dict[str, Any]:
    """Give a stay a room, another one, or none; the price and the folio stay."""
    return await assignment.move_stay(caller, id, stay_id, body.room_id)


@routes.put("/restaurants/{id}/stays/{stayId}/status", scope="orders:write", answers=StayDetail)
async def update_stay_status(caller: Caller, id: int, stay_id: int, body: StayStatusBody) -> dict[str, Any]:
    """Confirm a stay, let its guests in or out, call it off, or note that they did not come; 409 if that cannot be."""
    return await transitions.update_stay_status(caller, id, stay_id, body)
