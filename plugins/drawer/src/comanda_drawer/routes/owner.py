"""Cash drawers, as owners see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_drawer import driver_cash, movements, reading, shifts
from comanda_drawer.schemas import (
    CloseBody,
    DriverCashBody,
    MovementBody,
    MovementOut,
    ShiftBody,
    ShiftOut,
    ShiftQuery,
    ShiftWhole,
)

routes = Routes("Cash drawers")

SHIFTS = "/restaurants/{id}/shifts"
ONE = f"{SHIFTS}/{{shiftId}}"


@routes.get(SHIFTS, scope="orders:read", answers=Page[ShiftOut])
async def list_shifts(caller: Caller, id: int, query: ShiftQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's shifts, newest first, 20 per page; filter by ``status`` and ``drawer``."""
    return await reading.page_of_shifts(caller, id, query, page)


@routes.post(SHIFTS, scope="orders:write", answers=ShiftWhole, headers=(key_header("shift"),))
async def open_shift(caller: Caller, id: int, body: ShiftBody, call: Call) -> Answer:
    """Open a cash drawer for a shift; 409 with the reason ``drawer_open`` where it is open already."""
    return (await shifts.open_shift(caller, id, body, IdempotencyKey.of(call))).answer()


@routes.get(f"{SHIFTS}/unassigned", scope="orders:read", answers=Page[MovementOut])
async def list_unassigned(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the cash of payments and refunds that were booked while no drawer could be told to have it, newest first."""
    return await reading.page_of_unassigned(caller, id, page)


@routes.get(ONE, scope="orders:read", answers=ShiftWhole)
async def show_shift(caller: Caller, id: int, shift_id: int) -> dict[str, Any]:
    """Show a shift, its totals by kind so far, and its newest movements."""
    return await reading.shift(caller, id, shift_id)


@routes.get(f"{ONE}/movements", scope="orders:read", answers=Page[MovementOut])
async def list_movements(caller: Caller, id: int, shift_id: int, page: PageRequest) -> dict[str, Any]:
    """List the movements of a shift, newest first, 20 per page."""
    return await reading.page_of_movements(caller, id, shift_id, page)


@routes.post(f"{ONE}/movements", scope="orders:write", answers=MovementOut, headers=(key_header("movement"),))
async def move(caller: Caller, id: int, shift_id: int, body: MovementBody, call: Call) -> Answer:
    """Book cash that was put into a drawer or taken out, or that it was opened without a sale."""
    return (await movements.move(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ONE}/driver-cash", scope="orders:write", answers=MovementOut, headers=(key_header("movement"),))
async def hand_in(caller: Caller, id: int, shift_id: int, body: DriverCashBody, call: Call) -> Answer:
    """Book cash that a driver took at doors and hands in; 409 with ``nothing_held`` for one who holds none."""
    return (await driver_cash.hand_in(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ONE}/close", scope="orders:write", status=200, answers=ShiftWhole, headers=(key_header("count"),))
async def close_shift(caller: Caller, id: int, shift_id: int, body: CloseBody, call: Call) -> Answer:
    """Close a shift with what was counted, and tell the difference; 409 with ``shift_closed`` the second time."""
    return (await shifts.close_shift(caller, id, shift_id, body, IdempotencyKey.of(call))).answer()
