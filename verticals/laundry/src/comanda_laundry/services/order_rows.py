"""The part of a laundry in placing, amending and closing an order: its promised day, its lines to weigh, its tags."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Contribution, DraftLine, LinePrice, NewOrder, OrderRequest, PlacedOrder, Problem, Status
from comanda.platform.db import sql
from comanda.web import gettext as _

from comanda_laundry.models import GarmentState
from comanda_laundry.services.ready_days import LaundryTerms, find_ready_day

CLOSED: Final = frozenset({Status.COMPLETED, Status.CANCELLED})
# States in which a garment is no longer expected: with its owner, or with a note of what became of it.
ACCOUNTED: Final = (GarmentState.RETURNED, GarmentState.LOST, GarmentState.DAMAGED)
# Tags that a sentence names; a duvet cover more or less does not make it clearer.
MAX_NAMED: Final = 10

INSERT_ORDER: Final = """
    WITH weighed AS (
        INSERT INTO laundry_weighed_line (owner_id, order_id, line_id, price_per_kg_minor)
        SELECT $1, $3, line_id, price_minor FROM unnest($5::bigint[], $6::bigint[]) AS l (line_id, price_minor))
    INSERT INTO laundry_order AS o (owner_id, store_id, order_id, ready_on, is_open) VALUES ($1, $2, $3, $4, true)
    ON CONFLICT (order_id, owner_id) DO UPDATE SET ready_on = greatest(o.ready_on, EXCLUDED.ready_on)
"""
DELETE_VOIDED: Final = """
    DELETE FROM laundry_weighed_line WHERE owner_id = $1 AND order_id = $2 AND NOT line_id = ANY($3::bigint[])
"""
SELECT_LEFT: Final = """
    SELECT
        (SELECT count(*) FROM laundry_weighed_line w
            WHERE w.order_id = $1 AND w.owner_id = $2 AND w.grams IS NULL) AS to_weigh,
        ARRAY(SELECT g.tag || ' ' || g.name FROM laundry_garment g WHERE g.order_id = $1 AND g.owner_id = $2
            AND g.has_tag AND NOT g.state = ANY($3::text[]) ORDER BY g.tag) AS garments
"""
CLOSE_ORDER: Final = """
    WITH freed AS (
        UPDATE laundry_garment SET has_tag = false, updated_at = $3
        WHERE order_id = $1 AND owner_id = $2 AND has_tag)
    UPDATE laundry_order SET is_open = false WHERE order_id = $1 AND owner_id = $2
"""
REOPEN_ORDER: Final = "UPDATE laundry_order SET is_open = true WHERE order_id = $1 AND owner_id = $2"
RETURN_READY: Final = f"""
    UPDATE laundry_garment SET state = '{GarmentState.RETURNED}', updated_at = $3
    WHERE order_id = $1 AND owner_id = $2 AND has_tag AND state = '{GarmentState.READY}'
"""


def price_by_weight(request: OrderRequest, _terms: LaundryTerms) -> Mapping[int, LinePrice]:
    """Return the prices of lines that are weighed later: that of a kilogram, of as many as the guest expects."""
    label = _("Estimate in kg: weighed when we take it in")
    return {
        line.position: LinePrice(line.unit_price_minor, label)
        for line in request.lines
        if is_by_weight(request, line) and line.combo is None
    }


def check_lines(request: OrderRequest, _terms: LaundryTerms) -> Contribution | None:
    """Return a problem for goods by weight in a combo, whose price is fixed, and for orders that are merged."""
    problems = [
        Problem(line.path, Sentence("%(item)s is sold by weight, so it cannot be part of a combo.", item=line.name))
        for line in request.lines
        if line.combo is not None and not line.is_heading and is_by_weight(request, line)
    ]
    if request.amends is not None and request.amends.absorbed is not None:
        problems.append(Problem("order_id", Sentence("Orders of a laundry cannot be merged.")))
    return Contribution(problems=problems) if problems else None


async def create_rows(request: OrderRequest, terms: LaundryTerms, order: NewOrder) -> None:
    """Write the promised day of a new order, and which of its lines are weighed."""
    await _insert_rows(request, terms, order, request.lines)


async def amend_rows(request: OrderRequest, terms: LaundryTerms, order: NewOrder) -> None:
    """Add the lines that an amendment adds, and leave out those that it takes off; the later day is promised."""
    if request.amends is None:
        return
    if request.amends.released:
        await sql.execute(DELETE_VOIDED, request.terms.owner_id, order.id, list(order.line_ids))
    if added := request.amends.list_added(request.lines):
        await _insert_rows(request, terms, order, added)


async def _insert_rows(request: OrderRequest, terms: LaundryTerms, order: NewOrder, lines: Sequence[DraftLine]) -> None:
    ready_on = find_promise(request, terms, order, lines)
    if ready_on is None:
        return
    positions = {line.position for line in lines if is_by_weight(request, line)}
    weighed = [
        (line_id, line.unit_price_minor)
        for line, line_id in zip(request.lines, order.line_ids, strict=True)
        if line.position in positions
    ]
    ids, prices = [line_id for line_id, _price in weighed], [price for _id, price in weighed]
    await sql.execute(INSERT_ORDER, request.terms.owner_id, request.terms.id, order.id, ready_on, ids, prices)


def find_promise(
    request: OrderRequest, terms: LaundryTerms, order: NewOrder, lines: Sequence[DraftLine]
) -> date | None:
    """Return the day for which lines are promised: they are taken in at the order's time, or now."""
    moment = clock.now()
    taken_in_at = moment if order.scheduled_for is None else max(order.scheduled_for, moment)
    return find_ready_day(request, terms, lines, taken_in_at)


def is_by_weight(request: OrderRequest, line: DraftLine) -> bool:
    """Return whether a line is sold by weight."""
    item = request.items.get(line.item_id)
    return item is not None and bool(item.attributes.get("is_by_weight"))


async def follow_status(order: PlacedOrder, status: Status) -> None:
    """Close or open the order of a laundry with its order; what a driver brings is returned.

    Raises ``ValidationFailed`` for one that would be closed while goods are not weighed, or garments not accounted for.
    """
    if status in CLOSED and order.status not in CLOSED:
        await _require_finished(order, status)
        await sql.execute(CLOSE_ORDER, order.id, order.owner_id, clock.now())
    elif order.status in CLOSED and status not in CLOSED:
        await sql.execute(REOPEN_ORDER, order.id, order.owner_id)
    if status is Status.DELIVERED:
        await sql.execute(RETURN_READY, order.id, order.owner_id, clock.now())


async def _require_finished(order: PlacedOrder, status: Status) -> None:
    row = await sql.one(SELECT_LEFT, order.id, order.owner_id, list(ACCOUNTED))
    if garments := row["garments"]:
        named = ", ".join(garments[:MAX_NAMED])
        more = len(garments) - MAX_NAMED
        text = (
            Sentence("Not returned yet: %(garments)s.", garments=named)
            if more <= 0
            else Sentence("Not returned yet: %(garments)s and %(number)s more.", garments=named, number=more)
        )
        raise ValidationFailed({"status": [text]}, extras={"reason": "garments_left"})
    if row["to_weigh"] and status is Status.COMPLETED:
        text = Sentence("Weigh what is sold by weight before you complete the order.")
        raise ValidationFailed({"status": [text]}, extras={"reason": "not_weighed"})
