"""Amendments of orders, for the staff of their store."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from comanda.basics import to_ppm
from comanda.contracts import Call, Caller, PageRequest, RecordPage, Routes, key_header
from comanda.orders import Order, OrderOut, queries, to_order_json
from comanda.orders.amendments import (
    AddLinesBody,
    Amendment,
    Approval,
    CheckPlace,
    LineChangeBody,
    merges,
    open_checks,
    splits,
)
from comanda.platform.http import answer_once
from comanda.web import translate_errors

from comanda_staff.api import STAFF_ONLY, Permission
from comanda_staff.records import Server
from comanda_staff.schemas.amendments import (
    ApprovableBody,
    ApprovalBody,
    StaffDiscountBody,
    StaffMergeBody,
    StaffMoveBody,
    StaffReopenBody,
    StaffSplitBody,
    StaffVoidBody,
    TransferBody,
)
from comanda_staff.services import approvals, orders

routes = Routes("Staff", callers=STAFF_ONLY)

ORDER: Final = "/staff/orders/{orderId}"
KEY: Final = (key_header("answer"),)


@routes.get(f"{ORDER}/amendments", scope=Permission.ORDERS)
async def list_amendments(caller: Caller, order_id: int, page: PageRequest) -> RecordPage[Amendment]:
    """List what was changed of an order after it was placed, newest first."""
    return await open_checks.list_amendments(caller, caller.known_store_id, order_id, page)


@routes.post(f"{ORDER}/lines", scope=Permission.ORDERS, answers=OrderOut, headers=KEY)
async def add_lines(caller: Caller, call: Call, order_id: int, body: AddLinesBody) -> Any:
    """Add a round of lines to an order that is not paid yet, at the prices of now."""

    async def add(place: CheckPlace) -> Order:
        return await open_checks.add_lines(place, body.items)

    with translate_errors(call.headers):
        return await _run_once(call, "staff_add_lines", _place(caller, order_id), add)


@routes.put(f"{ORDER}/lines/{{lineId}}", scope=Permission.ORDERS, answers=OrderOut)
async def update_line(caller: Caller, order_id: int, line_id: int, body: LineChangeBody) -> dict[str, Any]:
    """Set the note, the seat or the course of a line."""
    values = body.model_dump(exclude_unset=True)
    return to_order_json(await open_checks.update_line(_place(caller, order_id), line_id, values))


@routes.post(f"{ORDER}/lines/{{lineId}}/void", scope=Permission.ORDERS, answers=OrderOut, headers=KEY)
async def void_line(caller: Caller, call: Call, order_id: int, line_id: int, body: StaffVoidBody) -> Any:
    """Take a line, or a quantity of it, off an order that is not paid yet."""

    async def void(place: CheckPlace) -> Order:
        return await open_checks.void_line(place, line_id, body.quantity, body.reason, is_restocked=body.restock)

    return await _run_approved(caller, call, "staff_void_line", order_id, body, void)


@routes.post(f"{ORDER}/discounts", scope=Permission.ORDERS, answers=OrderOut, headers=KEY)
async def give_discount(caller: Caller, call: Call, order_id: int, body: StaffDiscountBody) -> Any:
    """Give a discount on an order that is not paid yet, or on a line of it."""
    rate_ppm = None if body.percent is None else to_ppm(body.percent)
    given = open_checks.NewDiscount(rate_ppm, body.amount, body.line_id)

    async def give(place: CheckPlace) -> Order:
        return await open_checks.give_discount(place, given, body.reason)

    return await _run_approved(caller, call, "staff_give_discount", order_id, body, give)


@routes.post(f"{ORDER}/discounts/{{discountId}}/remove", scope=Permission.ORDERS, status=200, answers=OrderOut)
async def remove_discount(caller: Caller, order_id: int, discount_id: int, body: ApprovalBody) -> dict[str, Any]:
    """Take a discount back that was given by hand."""
    place = _place(caller, order_id, await approvals.get_approval(caller, body.approval_pin))
    return to_order_json(await open_checks.remove_discount(place, discount_id))


@routes.post(f"{ORDER}/move", scope=Permission.ORDERS, status=200, answers=OrderOut, headers=KEY)
async def move_order(caller: Caller, call: Call, order_id: int, body: StaffMoveBody) -> Any:
    """Move an order that is not paid yet to a table, or to another type that needs no address and no time."""

    async def move(place: CheckPlace) -> Order:
        return await open_checks.move_order(place, body.table_number, body.type)

    return await _run_approved(caller, call, "staff_move_order", order_id, body, move, 200)


@routes.get("/staff/servers", scope=Permission.ORDERS)
async def list_servers(caller: Caller) -> list[Server]:
    """List the active staff of your store, to whom orders can be handed over."""
    return await orders.list_servers(caller)


@routes.post(f"{ORDER}/transfer", scope=Permission.ORDERS, status=200, answers=OrderOut, headers=KEY)
async def transfer_order(caller: Caller, call: Call, order_id: int, body: TransferBody) -> Any:
    """Hand an order over to another member of staff, who stands in its field `served_by`."""
    await queries.find_order(caller, caller.known_store_id, order_id)
    served_by = await orders.find_server(caller, body.staff_id)

    async def transfer(place: CheckPlace) -> Order:
        return await open_checks.transfer_order(place, served_by)

    return await _run_once(call, "staff_transfer_order", _place(caller, order_id), transfer, 200)


@routes.post(f"{ORDER}/merge", scope=Permission.ORDERS, status=200, answers=OrderOut, headers=KEY)
async def merge_orders(caller: Caller, call: Call, order_id: int, body: StaffMergeBody) -> Any:
    """Merge another order of the store into this one, with its payments; the other is cancelled."""

    async def merge(place: CheckPlace) -> Order:
        return await merges.merge_orders(place, body.order_id)

    return await _run_approved(caller, call, "staff_merge_orders", order_id, body, merge, 200)


@routes.post(f"{ORDER}/split", scope=Permission.ORDERS, answers=OrderOut, headers=KEY)
async def split_order(caller: Caller, call: Call, order_id: int, body: StaffSplitBody) -> Any:
    """Split lines off into a new order, which is returned; payments, tip and coupon stay."""
    lines = [splits.SplitLine(line.line_id, line.quantity) for line in body.lines]

    async def split(place: CheckPlace) -> Order:
        return await splits.split_order(place, lines)

    return await _run_approved(caller, call, "staff_split_order", order_id, body, split)


@routes.post(f"{ORDER}/reopen", scope=Permission.ORDERS, status=200, answers=OrderOut)
async def reopen_order(caller: Caller, order_id: int, body: StaffReopenBody) -> dict[str, Any]:
    """Open a paid order again, to change it; its payments stay."""
    place = _place(caller, order_id, await approvals.get_approval(caller, body.approval_pin))
    return to_order_json(await open_checks.reopen_order(place, body.reason))


def _place(caller: Caller, order_id: int, approval: Approval = approvals.NOT_APPROVED) -> CheckPlace:
    return CheckPlace(caller, caller.known_store_id, order_id, approval)


async def _run_approved(
    caller: Caller,
    call: Call,
    operation: str,
    order_id: int,
    body: ApprovableBody,
    amend: Callable[[CheckPlace], Awaitable[Order]],
    status: int = 201,
) -> Any:
    """Amend an order once per idempotency key, with the approval that a PIN gives, which is checked before."""
    approval = await approvals.get_approval(caller, body.approval_pin)
    place = replace(_place(caller, order_id, approval), refund=body.refund)
    return await _run_once(call, operation, place, amend, status)


async def _run_once(
    call: Call, operation: str, place: CheckPlace, amend: Callable[[CheckPlace], Awaitable[Order]], status: int = 201
) -> Any:
    """Amend an order once per idempotency key of the store.

    A till sends what was done on it without a network in the name of whoever is logged in by then.
    """

    async def run() -> dict[str, Any]:
        return to_order_json(await amend(place))

    return await answer_once(call, operation, run, status, sender=f"staff@{place.store_id}")
