"""Cash drawers of the store that a member of staff works in."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.errors import NotFound
from comanda_staff.api import STAFF_ONLY, Permission

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

routes = Routes("Cash drawers", callers=STAFF_ONLY)

ONE = "/staff/shifts/{shiftId}"
ORDERS = Permission.ORDERS.value


@routes.get("/staff/shifts", scope=ORDERS, answers=Page[ShiftOut])
async def list_shifts(caller: Caller, query: ShiftQuery, page: PageRequest) -> dict[str, Any]:
    """List the shifts of your store, newest first, 20 per page; filter by ``status`` and ``drawer``."""
    return await reading.page_of_shifts(caller, _store_of(caller), query, page)


@routes.post("/staff/shifts", scope=ORDERS, answers=ShiftWhole, headers=(key_header("shift"),))
async def open_shift(caller: Caller, body: ShiftBody, call: Call) -> Answer:
    """Open a cash drawer; cash that you take goes into it. 409 with the reason ``drawer_open`` if it is open."""
    return (await shifts.open_shift(caller, _store_of(caller), body, IdempotencyKey.of(call))).answer()


@routes.get(ONE, scope=ORDERS, answers=ShiftWhole)
async def show_shift(caller: Caller, shift_id: int) -> dict[str, Any]:
    """Show a shift, its totals by kind so far, and its newest movements."""
    return await reading.shift(caller, _store_of(caller), shift_id)


@routes.get(f"{ONE}/movements", scope=ORDERS, answers=Page[MovementOut])
async def list_movements(caller: Caller, shift_id: int, page: PageRequest) -> dict[str, Any]:
    """List the movements of a shift, newest first, 20 per page."""
    return await reading.page_of_movements(caller, _store_of(caller), shift_id, page)


@routes.post(f"{ONE}/movements", scope=ORDERS, answers=MovementOut, headers=(key_header("movement"),))
async def move(caller: Caller, shift_id: int, body: MovementBody, call: Call) -> Answer:
    """Book cash that was put into a drawer or taken out, or that it was opened without a sale."""
    return (await movements.move(caller, _store_of(caller), shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ONE}/driver-cash", scope=ORDERS, answers=MovementOut, headers=(key_header("movement"),))
async def hand_in(caller: Caller, shift_id: int, body: DriverCashBody, call: Call) -> Answer:
    """Book cash that a driver took at doors and hands in; 409 with ``nothing_held`` for one who holds none."""
    return (await driver_cash.hand_in(caller, _store_of(caller), shift_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ONE}/close", scope=ORDERS, status=200, answers=ShiftWhole, headers=(key_header("count"),))
async def close_shift(caller: Caller, shift_id: int, body: CloseBody, call: Call) -> Answer:
    """Close a shift with what was counted, and tell the difference; 409 with ``shift_closed`` the second time."""
    return (await shifts.close_shift(caller, _store_of(caller), shift_id, body, IdempotencyKey.of(call))).answer()


def _store_of(caller: Caller) -> int:
    if caller.store_id is None:
        raise NotFound
    return caller.store_id
