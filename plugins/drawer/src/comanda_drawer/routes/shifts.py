"""Shifts of cash drawers, for owners."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header

from comanda_drawer.records import Movement, Shift, ShiftReport
from comanda_drawer.schemas import CloseBody, DriverCashBody, MovementBody, ShiftBody, ShiftQuery
from comanda_drawer.services import driver_cash, movements, shift_reports, shifts

routes = Routes("Cash drawers")

SHIFTS = "/restaurants/{id}/shifts"
SHIFT = f"{SHIFTS}/{{shiftId}}"


@routes.get(SHIFTS, scope="orders:read")
async def list_shifts(caller: Caller, id: int, query: ShiftQuery, page: PageRequest) -> RecordPage[Shift]:
    """List a store's shifts, newest first, 20 per page; filter by ``status`` and ``drawer``."""
    return await shift_reports.list_shifts(caller, id, query, page)


@routes.post(SHIFTS, scope="orders:write", answers=ShiftReport, headers=(key_header("shift"),))
async def open_shift(caller: Caller, id: int, body: ShiftBody, call: Call) -> Answer:
    """Open a cash drawer for a shift; 409 with the reason ``drawer_open`` if it is already open."""
    return (await shifts.open_shift(caller, id, body, IdempotencyKey.of(call))).answer()


@routes.get(f"{SHIFTS}/unassigned", scope="orders:read")
async def list_unassigned(caller: Caller, id: int, page: PageRequest) -> RecordPage[Movement]:
    """List payments and refunds in cash that could not be assigned to a drawer, newest first."""
    return await shift_reports.list_unassigned(caller, id, page)


@routes.get(SHIFT, scope="orders:read")
async def get_shift(caller: Caller, id: int, shift_id: int) -> ShiftReport:
    """Return a shift with its totals by kind so far and its newest movements."""
    return await shift_reports.get_shift(caller, id, shift_id)


@routes.get(f"{SHIFT}/movements", scope="orders:read")
async def list_movements(caller: Caller, id: int, shift_id: int, page: PageRequest) -> RecordPage[Movement]:
    """List the movements of a shift, newest first, 20 per page."""
    return await shift_reports.list_movements(caller, id, shift_id, page)


@routes.post(f"{SHIFT}/movements", scope="orders:write", answers=Movement, headers=(key_header("movement"),))
async def create_movement(caller: Caller, id: int, shift_id: int, body: MovementBody, call: Call) -> Answer:
    """Record cash put into or taken out of a drawer, or a drawer opened without a sale."""
    return (await movements.create_movement(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{SHIFT}/driver-cash", scope="orders:write", answers=Movement, headers=(key_header("movement"),))
async def hand_in_driver_cash(caller: Caller, id: int, shift_id: int, body: DriverCashBody, call: Call) -> Answer:
    """Record cash that a driver hands in; 409 with the reason ``nothing_held`` if they hold none."""
    return (await driver_cash.hand_in_cash(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{SHIFT}/close", scope="orders:write", status=200, answers=ShiftReport, headers=(key_header("count"),))
async def close_shift(caller: Caller, id: int, shift_id: int, body: CloseBody, call: Call) -> Answer:
    """Close a shift with the counted cash and return the difference; 409 with ``shift_closed`` if already closed."""
    return (await shifts.close_shift(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()
