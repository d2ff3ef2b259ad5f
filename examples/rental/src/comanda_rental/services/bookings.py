"""Bookings: the pieces of tools that orders have for some days."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from comanda.basics import Conflict, ValidationFailed
from comanda.contracts import (
    Caller,
    DraftLine,
    NewOrder,
    NewSections,
    OfferedItem,
    OrderRequest,
    PageRequest,
    PlacedOrder,
    RecordPage,
    Reservation,
)
from comanda.platform.db import sql
from comanda.stores import require_store
from tortoise.queryset import QuerySet

from comanda_rental import models
from comanda_rental.records import Booking
from comanda_rental.services.hire_days import HirePeriod, HireTerms, get_period

STORE_TYPE = "tool_hire"
SECTION_NAME = "rental_bookings"
# The conflicting update locks the row, so that two orders cannot both find the last piece free. In the order of the
# items, so that two orders of the same tools do not wait for each other.
LOCK_TOOLS = """
    INSERT INTO rental_tool (owner_id, store_id, item_id)
    SELECT $1, $2, item_id FROM unnest($3::bigint[]) AS item_id ORDER BY item_id
    ON CONFLICT (item_id, owner_id) DO UPDATE SET store_id = excluded.store_id
"""
SELECT_TAKEN_PIECES = """
    SELECT DISTINCT b.item_id, piece FROM rental_booking b CROSS JOIN unnest(b.pieces) AS piece
    WHERE b.owner_id = $1 AND b.store_id = $2 AND b.item_id = ANY($3::bigint[]) AND NOT b.is_cancelled
        AND b.returned_on IS NULL AND b.first_day <= $5 AND b.last_day >= $4
"""
INSERT_BOOKINGS = """
    INSERT INTO rental_booking (owner_id, store_id, order_id, customer_id, first_day, last_day, currency, item_id,
        line_id, tool_name, pieces, daily_price_minor, is_cancelled)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::smallint[], $12, false)
"""
# The pieces of a line that is gone whole stay in the booking, which is cancelled.
RELEASE_PIECES = """
    UPDATE rental_booking SET is_cancelled = cardinality(pieces) <= $3,
        pieces = CASE WHEN cardinality(pieces) <= $3 THEN pieces ELSE pieces[:cardinality(pieces) - $3] END
    WHERE owner_id = $1 AND line_id = $2
"""

# The pieces of each line, by its position: what ``reserve_pieces`` has found for ``create_bookings``.
ReservedPieces = Mapping[int, list[int]]


async def reserve_pieces(request: OrderRequest, _hire: HireTerms) -> Reservation:
    """Find free pieces for every line, and lock its tool. Raises ``ValidationFailed`` if there are not enough."""
    return Reservation(state=await _find_pieces(request, request.lines))


async def _find_pieces(request: OrderRequest, lines: Sequence[DraftLine]) -> ReservedPieces:
    terms, period = request.terms, get_period(request)
    assert period is not None
    taken = await lock_taken_pieces(terms.owner_id, terms.id, (line.item_id for line in lines), period)
    reserved: dict[int, list[int]] = {}
    for line in lines:
        numbers = range(1, count_pieces(request.items[line.item_id]) + 1)
        free = [number for number in numbers if number not in taken[line.item_id]]
        if len(free) < line.quantity:
            raise ValidationFailed(
                {f"items.{line.position}.quantity": [f"{line.name}: {len(free)} free on all these days."]},
                extras={"reason": "not_enough_pieces", "free": len(free)},
            )
        reserved[line.position] = free[: line.quantity]
        taken[line.item_id].update(reserved[line.position])
    return reserved


async def create_bookings(request: OrderRequest, _hire: HireTerms, order: NewOrder) -> None:
    """Book the reserved pieces for the lines of a new order."""
    await _insert_bookings(request, order, order.reserved)


async def amend_bookings(request: OrderRequest, _hire: HireTerms, order: NewOrder) -> None:
    """Book pieces for the lines that an amendment adds, and give back those of what it takes off.

    Raises ``ValidationFailed`` if there are not enough.
    """
    if request.amends is None:
        return
    for line in request.amends.released:
        await sql.execute(RELEASE_PIECES, request.terms.owner_id, line.line_id, line.quantity)
    if added := request.amends.list_added(request.lines):
        await _insert_bookings(request, order, await _find_pieces(request, added))


async def _insert_bookings(request: OrderRequest, order: NewOrder, reserved: ReservedPieces) -> None:
    terms, period = request.terms, get_period(request)
    assert period is not None
    customer_id = request.caller.subject_id if request.caller.kind == "customer" else None
    shared = (terms.owner_id, terms.id, order.id, customer_id, period.first_day, period.last_day, terms.currency)
    for line, line_id in zip(request.lines, order.line_ids, strict=True):
        if line.position not in reserved:
            continue
        daily_price_minor = line.unit_price_minor // period.days
        booked = (line.item_id, line_id, line.name, reserved[line.position], daily_price_minor)
        await sql.execute(INSERT_BOOKINGS, *shared, *booked)


def describe_lines(request: OrderRequest, _hire: HireTerms, order: NewOrder) -> NewSections:
    """Return what the lines of a new order say of their bookings."""
    lines = zip(request.lines, order.line_ids, strict=True)
    return {SECTION_NAME: {line_id: _describe(order.reserved[line.position], None) for line, line_id in lines}}


async def load_booked_lines(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return what lines of orders say of their bookings, by line id."""
    rows = await models.Booking.filter(owner_id=owner_id, order_id__in=order_ids)
    return {row.line_id: _describe(row.pieces, row.returned_on) for row in rows}


def _describe(pieces: Sequence[int], returned_on: date | None) -> dict[str, Any]:
    return {"pieces": list(pieces), "returned_on": returned_on}


async def cancel_bookings(order: PlacedOrder) -> None:
    """Give back the pieces of a cancelled order."""
    await models.Booking.filter(owner_id=order.owner_id, order_id=order.id).update(is_cancelled=True)


async def reopen_bookings(order: PlacedOrder) -> None:
    """Book the same pieces for a reopened order again. Raises ``ValidationFailed`` if another order has one of them."""
    bookings = await models.Booking.filter(owner_id=order.owner_id, order_id=order.id, is_cancelled=True)
    if not bookings:
        return
    period = HirePeriod(bookings[0].first_day, bookings[0].last_day)
    item_ids = (booking.item_id for booking in bookings)
    taken = await lock_taken_pieces(order.owner_id, order.store_id, item_ids, period)
    if any(taken[booking.item_id].intersection(booking.pieces) for booking in bookings):
        raise ValidationFailed(
            status=["The tools of this order are booked by another one now, so it cannot be reopened."],
            extras={"reason": "not_enough_pieces"},
        )
    await models.Booking.filter(owner_id=order.owner_id, order_id=order.id).update(is_cancelled=False)


async def lock_taken_pieces(
    owner_id: int, store_id: int, item_ids: Iterable[int], period: HirePeriod
) -> dict[int, set[int]]:
    """Lock tools until the open transaction ends, and return which of their pieces are taken in a period."""
    wanted = sorted(set(item_ids))
    await sql.execute(LOCK_TOOLS, owner_id, store_id, wanted)
    return await find_taken_pieces(owner_id, store_id, wanted, period)


async def find_taken_pieces(
    owner_id: int, store_id: int, item_ids: list[int], period: HirePeriod
) -> dict[int, set[int]]:
    """Return which pieces of tools are taken in a period, by item."""
    taken: dict[int, set[int]] = {item_id: set() for item_id in item_ids}
    values = (owner_id, store_id, item_ids, period.first_day, period.last_day)
    for row in await sql.fetch(SELECT_TAKEN_PIECES, *values):
        taken[row["item_id"]].add(row["piece"])
    return taken


def count_pieces(item: OfferedItem) -> int:
    """Return how many pieces of a tool the shop has."""
    return int(item.attributes.get("pieces", 1))


async def list_bookings(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Booking]:
    """List the bookings of tools that are out or expected, by last day. Raises ``NotFound``, ``Conflict``."""
    await require_shop(caller, store_id)
    return await _load_page(page, ("last_day", "id"), _list_active(caller.owner_id, store_id).filter(returned_on=None))


async def list_own_bookings(caller: Caller, page: PageRequest) -> RecordPage[Booking]:
    """List what a customer has booked with their token, newest first."""
    mine = _list_active(caller.owner_id, caller.known_store_id).filter(customer_id=caller.subject_id)
    return await _load_page(page, ("-id",), mine)


def _list_active(owner_id: int, store_id: int) -> QuerySet[models.Booking]:
    return models.Booking.filter(owner_id=owner_id, store_id=store_id, is_cancelled=False)


async def _load_page(page: PageRequest, order: Sequence[str], rows: QuerySet[models.Booking]) -> RecordPage[Booking]:
    found = await rows.order_by(*order).limit(page.size()).offset(page.offset())
    return page.of([_to_booking(row) for row in found], await rows.count())


async def require_shop(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's shop. Raises ``NotFound``; ``Conflict`` for another store type."""
    store = await require_store(caller, store_id)
    check_type(store["store_type"])
    return store


def check_type(store_type: str) -> None:
    """Raise ``Conflict`` for a store type that hires out no tools."""
    if store_type != STORE_TYPE:
        raise Conflict("This store hires out no tools.", extras={"reason": "not_tool_hire"})


def _to_booking(row: models.Booking) -> Booking:
    return Booking(row.order_id, row.item_id, row.tool_name, row.pieces, row.first_day, row.last_day, row.returned_on)
