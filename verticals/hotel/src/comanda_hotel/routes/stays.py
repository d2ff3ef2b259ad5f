"""Routes for stays, for the front desk."""

from comanda.contracts import (
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    Page,
    PageRequest,
    RecordPage,
    Routes,
    Unvalidated,
    key_header,
)

from comanda_hotel.records.stays import Stay, StayWithFolio
from comanda_hotel.schemas.stays import (
    RoomMove,
    StayBody,
    StayChange,
    StayDepositBody,
    StayDetail,
    StayOut,
    StayPaymentBody,
    StayQuery,
    StayStatusBody,
)
from comanda_hotel.services import (
    assignment,
    deposits,
    modifications,
    stay_creation,
    stay_payments,
    stays,
    transitions,
)

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/stays", scope="orders:read", answers=Page[StayOut])
async def list_stays(caller: Caller, id: int, query: StayQuery, page: PageRequest) -> RecordPage[Stay]:
    """List stays, newest first, 20 per page; filter by ``arrivals_on``, ``departures_on``, ``in_house`` and nights."""
    return await stays.list_stays(caller, id, query, page)


@routes.post("/restaurants/{id}/stays", scope="orders:write", answers=StayDetail, headers=(key_header("stay"),))
async def create_stay(caller: Caller, call: Call, id: int, body: Unvalidated[StayBody]) -> Answer:
    """Book a stay; 409 with a ``reason`` if no room is free. A repeated ``Idempotency-Key`` returns the same stay."""
    booked = await stay_creation.create_stay(caller, id, body, IdempotencyKey.of(call))
    return booked.answer()


@routes.get("/restaurants/{id}/stays/{stayId}", scope="orders:read", answers=StayDetail)
async def get_stay(caller: Caller, id: int, stay_id: int) -> StayWithFolio:
    """Return a stay with its nights, folio and timeline."""
    return await stays.get_stay(caller, id, stay_id)


@routes.put("/restaurants/{id}/stays/{stayId}", scope="orders:write", answers=StayDetail)
async def update_stay(caller: Caller, id: int, stay_id: int, body: StayChange) -> StayWithFolio:
    """Update a stay; new dates, guests or room type are checked for availability and repriced."""
    return await modifications.update_stay(caller, id, stay_id, body)


@routes.put("/restaurants/{id}/stays/{stayId}/deposit", scope="orders:write", answers=StayDetail)
async def request_deposit(caller: Caller, id: int, stay_id: int, body: StayDepositBody) -> StayWithFolio:
    """Request payment of the nights online, or of a part of them; 409 if that was asked before, or cannot be paid."""
    return await deposits.request_deposit(caller, id, stay_id, body)


@routes.post(
    "/restaurants/{id}/stays/{stayId}/payments",
    scope="orders:write",
    answers=StayDetail,
    headers=(key_header("payment"),),
)
async def create_stay_payment(caller: Caller, call: Call, id: int, stay_id: int, body: StayPaymentBody) -> Answer:
    """Record what guests pay of their nights at the desk; a repeated ``Idempotency-Key`` records nothing more."""
    paid = await stay_payments.create_payment(caller, id, stay_id, body, IdempotencyKey.of(call))
    return paid.answer()


@routes.put("/restaurants/{id}/stays/{stayId}/room", scope="orders:write", answers=StayDetail)
async def move_stay(caller: Caller, id: int, stay_id: int, body: RoomMove) -> StayWithFolio:
    """Assign, change or remove a stay's room; price and folio are kept."""
    return await assignment.move_stay(caller, id, stay_id, body.room_id)


@routes.put("/restaurants/{id}/stays/{stayId}/status", scope="orders:write", answers=StayDetail)
async def update_stay_status(caller: Caller, id: int, stay_id: int, body: StayStatusBody) -> StayWithFolio:
    """Confirm, check in, check out or cancel a stay, or mark it as a no-show; 409 if its status does not allow it."""
    return await transitions.update_stay_status(caller, id, stay_id, body)
