"""Routes of amendments for owners: an order that is not paid yet gets further lines, loses some, or moves."""

from typing import Any, Final

from comanda.basics.rates import to_ppm
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.orders.amendments import merges, open_checks, splits
from comanda.orders.amendments.bodies import (
    AddLinesBody,
    DiscountBody,
    LineChangeBody,
    MergeBody,
    MoveBody,
    OrderSplitBody,
    ReopenBody,
    VoidBody,
)
from comanda.orders.amendments.open_checks import CheckPlace
from comanda.orders.amendments.records import Amendment
from comanda.orders.order_json import to_order_json
from comanda.orders.schemas import OrderOut

routes = Routes("Orders")

ORDER: Final = "/restaurants/{id}/orders/{orderId}"


@routes.get(f"{ORDER}/amendments", scope="orders:read")
async def list_amendments(caller: Caller, id: int, order_id: int, page: PageRequest) -> RecordPage[Amendment]:
    """List what was changed of an order after it was placed, newest first."""
    return await open_checks.list_amendments(caller, id, order_id, page)


@routes.post(f"{ORDER}/lines", scope="orders:write", answers=OrderOut)
async def add_lines(caller: Caller, id: int, order_id: int, body: AddLinesBody) -> dict[str, Any]:
    """Add a round of lines to an order that is not paid yet, at the prices of now."""
    return to_order_json(await open_checks.add_lines(CheckPlace(caller, id, order_id), body.items))


@routes.put(f"{ORDER}/lines/{{lineId}}", scope="orders:write", answers=OrderOut)
async def update_line(caller: Caller, id: int, order_id: int, line_id: int, body: LineChangeBody) -> dict[str, Any]:
    """Set the note, the seat or the course of a line."""
    values = body.model_dump(exclude_unset=True)
    return to_order_json(await open_checks.update_line(CheckPlace(caller, id, order_id), line_id, values))


@routes.post(f"{ORDER}/lines/{{lineId}}/void", scope="orders:write", answers=OrderOut)
async def void_line(caller: Caller, id: int, order_id: int, line_id: int, body: VoidBody) -> dict[str, Any]:
    """Take a line, or a quantity of it, off an order that is not paid yet."""
    place = CheckPlace(caller, id, order_id, refund=body.refund)
    return to_order_json(
        await open_checks.void_line(place, line_id, body.quantity, body.reason, is_restocked=body.restock)
    )


@routes.post(f"{ORDER}/discounts", scope="orders:write", answers=OrderOut)
async def give_discount(caller: Caller, id: int, order_id: int, body: DiscountBody) -> dict[str, Any]:
    """Give a discount on an order that is not paid yet, or on a line of it."""
    rate_ppm = None if body.percent is None else to_ppm(body.percent)
    given = open_checks.NewDiscount(rate_ppm, body.amount, body.line_id)
    place = CheckPlace(caller, id, order_id, refund=body.refund)
    return to_order_json(await open_checks.give_discount(place, given, body.reason))


@routes.post(f"{ORDER}/discounts/{{discountId}}/remove", scope="orders:write", status=200, answers=OrderOut)
async def remove_discount(caller: Caller, id: int, order_id: int, discount_id: int) -> dict[str, Any]:
    """Take a discount back that was given by hand."""
    return to_order_json(await open_checks.remove_discount(CheckPlace(caller, id, order_id), discount_id))


@routes.post(f"{ORDER}/move", scope="orders:write", status=200, answers=OrderOut, is_replayable=True)
async def move_order(caller: Caller, id: int, order_id: int, body: MoveBody) -> dict[str, Any]:
    """Move an order that is not paid yet to a table, or to another type that needs no address and no time."""
    place = CheckPlace(caller, id, order_id, refund=body.refund)
    return to_order_json(await open_checks.move_order(place, body.table_number, body.type))


@routes.post(f"{ORDER}/merge", scope="orders:write", status=200, answers=OrderOut, is_replayable=True)
async def merge_orders(caller: Caller, id: int, order_id: int, body: MergeBody) -> dict[str, Any]:
    """Merge another order of the store into this one, with its payments; the other is cancelled."""
    place = CheckPlace(caller, id, order_id, refund=body.refund)
    return to_order_json(await merges.merge_orders(place, body.order_id))


@routes.post(f"{ORDER}/split", scope="orders:write", answers=OrderOut)
async def split_order(caller: Caller, id: int, order_id: int, body: OrderSplitBody) -> dict[str, Any]:
    """Split lines off into a new order, which is returned; payments, tip and coupon stay."""
    lines = [splits.SplitLine(line.line_id, line.quantity) for line in body.lines]
    return to_order_json(await splits.split_order(CheckPlace(caller, id, order_id, refund=body.refund), lines))


@routes.post(f"{ORDER}/reopen", scope="orders:write", status=200, answers=OrderOut)
async def reopen_order(caller: Caller, id: int, order_id: int, body: ReopenBody) -> dict[str, Any]:
    """Open a paid order again, to change it; its payments stay."""
    return to_order_json(await open_checks.reopen_order(CheckPlace(caller, id, order_id), body.reason))
