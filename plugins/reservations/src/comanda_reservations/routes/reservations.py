"""The reservations of a store, and what its owner decides about them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_reservations import booking, rules, services
from comanda_reservations.schemas import (
    ReservationBody,
    ReservationChange,
    ReservationOut,
    ReservationQuery,
    ReservationSettings,
    ReservationSettingsChange,
    ReservationStatusBody,
)

routes = Routes("Reservations")

KEY = key_header("reservation")


@routes.get("/restaurants/{id}/reservations/settings", scope="orders:read", answers=ReservationSettings)
async def show_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Show how a store takes reservations of tables."""
    return await rules.settings(caller, id)


@routes.put("/restaurants/{id}/reservations/settings", scope="orders:write", answers=ReservationSettings)
async def change_settings(caller: Caller, id: int, body: ReservationSettingsChange) -> dict[str, Any]:
    """Change how a store takes reservations; fields left out stay, and so does what is reserved."""
    return await rules.change_settings(caller, id, body)


@routes.get("/restaurants/{id}/reservations", scope="orders:read", answers=Page[ReservationOut])
async def list_reservations(caller: Caller, id: int, query: ReservationQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's reservations of tables and stays, 20 per page: latest first, or in order of time from a day on."""
    return await services.page_of_reservations(caller, id, query, page)


@routes.post(
    "/restaurants/{id}/reservations", scope="orders:write", answers=ReservationOut, headers=(key_header("reservation"),)
)
async def reserve(caller: Caller, call: Call, id: int, body: ReservationBody) -> Answer:
    """Reserve a table; with an ``Idempotency-Key`` seen before, it answers with the first reservation."""
    reserved = await booking.reserve(caller, id, body, IdempotencyKey.of(call))
    return reserved.answer()


@routes.get("/restaurants/{id}/reservations/{reservationId}", scope="orders:read", answers=ReservationOut)
async def show_reservation(caller: Caller, id: int, reservation_id: int) -> dict[str, Any]:
    """Show a reservation."""
    return await services.reservation(caller, id, reservation_id)


@routes.put("/restaurants/{id}/reservations/{reservationId}", scope="orders:write", answers=ReservationOut)
async def change_reservation(caller: Caller, id: int, reservation_id: int, body: ReservationChange) -> dict[str, Any]:
    """Change the time, party, tables or guest of a table's reservation; fields left out stay as they are."""
    return await booking.change(caller, id, reservation_id, body)


@routes.put("/restaurants/{id}/reservations/{reservationId}/status", scope="orders:write", answers=ReservationOut)
async def change_status(caller: Caller, id: int, reservation_id: int, body: ReservationStatusBody) -> dict[str, Any]:
    """Confirm, seat, complete or cancel a table's reservation, or say that nobody came."""
    return await services.set_status(caller, id, reservation_id, body)
