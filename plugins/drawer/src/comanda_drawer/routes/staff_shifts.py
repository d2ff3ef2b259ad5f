"""Shifts of cash drawers, for staff in their store."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_drawer.records import Movement, Shift, ShiftReport
from comanda_drawer.schemas import CloseBody, DriverCashBody, MovementBody, ShiftBody, ShiftQuery
from comanda_drawer.services import driver_cash, movements, shift_reports, shifts

routes = Routes("Cash drawers", callers=STAFF_ONLY)

SHIFT = "/staff/shifts/{shiftId}"
ORDERS = Permission.ORDERS.value


@routes.get("/staff/shifts", scope=ORDERS)
async def list_shifts(caller: Caller, query: ShiftQuery, page: PageRequest) -> RecordPage[Shift]:
    """List the shifts of your store, newest first, 20 per page; filter by ``status`` and ``drawer``."""
    return await shift_reports.list_shifts(caller, caller.known_store_id, query, page)


@routes.post("/staff/shifts", scope=ORDERS, answers=ShiftReport, headers=(key_header("shift"),))
async def open_shift(caller: Caller, body: ShiftBody, call: Call) -> Answer:
    """Open a cash drawer, which receives the cash you take; 409 with the reason ``drawer_open`` if already open."""
    return (await shifts.open_shift(caller, caller.known_store_id, body, IdempotencyKey.of(call))).answer()


@routes.get(SHIFT, scope=ORDERS)
async def get_shift(caller: Caller, shift_id: int) -> ShiftReport:
    """Return a shift with its totals by kind so far and its newest movements."""
    return await shift_reports.get_shift(caller, caller.known_store_id, shift_id)


@routes.get(f"{SHIFT}/movements", scope=ORDERS)
async def list_movements(caller: Caller, shift_id: int, page: PageRequest) -> RecordPage[Movement]:
    """List the movements of a shift, newest first, 20 per page."""
    return await shift_reports.list_movements(caller, caller.known_store_id, shift_id, page)


@routes.post(f"{SHIFT}/movements", scope=ORDERS, answers=Movement, headers=(key_header("movement"),))
async def create_movement(caller: Caller, shift_id: int, body: MovementBody, call: Call) -> Answer:
    """Record cash put into or taken out of a drawer, or a drawer opened without a sale."""
    return (
        await movements.create_movement(caller, caller.known_store_id, shift_id, body, IdempotencyKey.of(call))
    ).answer()


@routes.post(f"{SHIFT}/driver-cash", scope=ORDERS, answers=Movement, headers=(key_header("movement"),))
async def hand_in_driver_cash(caller: Caller, shift_id: int, body: DriverCashBody, call: Call) -> Answer:
    """Record cash that a driver hands in; 409 with the reason ``nothing_held`` if they hold none."""
    return (
        await driver_cash.hand_in_cash(caller, caller.known_store_id, shift_id, body, IdempotencyKey.of(call))
    ).answer()


@routes.post(f"{SHIFT}/close", scope=ORDERS, status=200, answers=ShiftReport, headers=(key_header("count"),))
async def close_shift(caller: Caller, shift_id: int, body: CloseBody, call: Call) -> Answer:
    """Close a shift with the counted cash and return the difference; 409 with ``shift_closed`` if already closed."""
    return (await shifts.close_shift(caller, caller.known_store_id, shift_id, body, IdempotencyKey.of(call))).answer()
