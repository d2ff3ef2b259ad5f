"""Routes of a store's reservations and reservation settings."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header

from comanda_reservations.records import Reservation, TableSettings
from comanda_reservations.schemas import (
    ReservationBody,
    ReservationChange,
    ReservationQuery,
    ReservationSettingsChange,
    ReservationStatusBody,
)
from comanda_reservations.services import reservation_rules, reservations, table_reservations

routes = Routes("Reservations")


@routes.get("/restaurants/{id}/reservations/settings", scope="orders:read")
async def get_settings(caller: Caller, id: int) -> TableSettings:
    """Get a store's settings for table reservations."""
    return await reservation_rules.get_settings(caller, id)


@routes.put("/restaurants/{id}/reservations/settings", scope="orders:write")
async def update_settings(caller: Caller, id: int, body: ReservationSettingsChange) -> TableSettings:
    """Update a store's reservation settings. Omitted fields and existing reservations stay as they are."""
    return await reservation_rules.update_settings(caller, id, body)


@routes.get("/restaurants/{id}/reservations", scope="orders:read")
async def list_reservations(
    caller: Caller, id: int, query: ReservationQuery, page: PageRequest
) -> RecordPage[Reservation]:
    """List a store's reservations of tables and stays, 20 per page: latest first, or by time if a day is given."""
    return await reservations.list_reservations(caller, id, query, page)


@routes.post(
    "/restaurants/{id}/reservations", scope="orders:write", answers=Reservation, headers=(key_header("reservation"),)
)
async def create_reservation(caller: Caller, call: Call, id: int, body: ReservationBody) -> Answer:
    """Reserve a table. An ``Idempotency-Key`` that was used before returns the first reservation."""
    created = await table_reservations.create_reservation(caller, id, body, IdempotencyKey.of(call))
    return created.answer()


@routes.get("/restaurants/{id}/reservations/{reservationId}", scope="orders:read")
async def get_reservation(caller: Caller, id: int, reservation_id: int) -> Reservation:
    """Get a reservation."""
    return await reservations.get_reservation(caller, id, reservation_id)


@routes.put("/restaurants/{id}/reservations/{reservationId}", scope="orders:write")
async def update_reservation(caller: Caller, id: int, reservation_id: int, body: ReservationChange) -> Reservation:
    """Update the time, party, tables or guest of a table reservation. Omitted fields stay as they are."""
    return await table_reservations.update_reservation(caller, id, reservation_id, body)


@routes.put("/restaurants/{id}/reservations/{reservationId}/status", scope="orders:write")
async def update_status(caller: Caller, id: int, reservation_id: int, body: ReservationStatusBody) -> Reservation:
    """Confirm, seat, complete or cancel a table reservation, or mark it as a no-show."""
    return await reservations.update_status(caller, id, reservation_id, body)
