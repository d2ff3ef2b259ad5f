"""The lines of a refund: their amounts, and the items to restock."""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.basics import Sentence, ValidationFailed, round_half_up
from comanda.contracts import Status
from comanda.orders import Bill, stock
from comanda.platform.db import sql

from comanda_payments.models import RefundStatus
from comanda_payments.schemas import RefundLineBody

# A line of a variant reduced the variant's stock, or its item's if the variant has no stock of its own.
SELECT_ORDER_LINES = f"""
    SELECT l.id, l.name, l.quantity, l.total_minor, l.takes_stock, l.item_id,
        CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END AS variant_id,
        coalesce((SELECT sum(r.quantity) FROM payments_refund_line r
            JOIN payments_refund f ON f.id = r.refund_id AND f.owner_id = r.owner_id
            WHERE r.line_id = l.id AND r.owner_id = l.owner_id AND f.status <> '{RefundStatus.FAILED}'), 0)::int
            AS refunded_quantity
    FROM core_order_line_v1 l LEFT JOIN core_variant_v1 v ON v.id = l.variant_id AND v.owner_id = l.owner_id
    WHERE l.order_id = $1 AND l.owner_id = $2
"""
INSERT_REFUND_LINES = """
    INSERT INTO payments_refund_line (owner_id, refund_id, line_id, quantity, amount_minor, is_restocked)
    SELECT $1, $2, l.line_id, l.quantity, l.amount_minor, l.is_restocked
    FROM unnest($3::bigint[], $4::int[], $5::bigint[], $6::boolean[])
        AS l (line_id, quantity, amount_minor, is_restocked)
"""
SELECT_RESTOCKED_LINES = """
    SELECT l.item_id, CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END AS variant_id, r.quantity
    FROM payments_refund_line r JOIN core_order_line_v1 l ON l.id = r.line_id AND l.owner_id = r.owner_id
    LEFT JOIN core_variant_v1 v ON v.id = l.variant_id AND v.owner_id = l.owner_id
    WHERE r.refund_id = $1 AND r.owner_id = $2 AND r.is_restocked
"""


@dataclass(frozen=True, slots=True)
class PricedRefundLine:
    """A quantity of an order line and the amount to refund for it, in minor units."""

    line_id: int
    quantity: int
    amount_minor: int
    is_restocked: bool


async def price_refund_lines(bill: Bill, requested: Sequence[RefundLineBody]) -> list[PricedRefundLine]:
    """Price the lines of a refund. Raises ``ValidationFailed`` for unknown lines and quantities already refunded."""
    rows = {row["id"]: row for row in await sql.fetch(SELECT_ORDER_LINES, bill.id, bill.owner_id)}
    errors: dict[str, list[str]] = {}
    priced: dict[int, PricedRefundLine] = {}
    for position, line in enumerate(requested):
        path = f"lines.{position}"
        row = rows.get(line.line_id)
        if row is None or line.line_id in priced:
            errors[f"{path}.line_id"] = [
                Sentence("This order has no line %(id)s.", id=line.line_id)
                if row is None
                else Sentence("This line is listed twice.")
            ]
            continue
        errors |= _validate_line(bill, row, line, path)
        priced[line.line_id] = _price_line(row, line)
    if errors:
        raise ValidationFailed(errors)
    return list(priced.values())


async def insert_refund_lines(owner_id: int, refund_id: int, lines: Sequence[PricedRefundLine]) -> None:
    """Insert the lines of a refund."""
    columns = ([line.line_id for line in lines], [line.quantity for line in lines])
    amounts = ([line.amount_minor for line in lines], [line.is_restocked for line in lines])
    await sql.execute(INSERT_REFUND_LINES, owner_id, refund_id, *columns, *amounts)


async def restock_items(bill: Bill, refund_id: int) -> None:
    """Restock the items of a refund in the open transaction, unless a cancellation has restocked them."""
    quantities: dict[stock.StockKey, int] = {}
    if bill.status is Status.CANCELLED:
        return
    for row in await sql.fetch(SELECT_RESTOCKED_LINES, refund_id, bill.owner_id):
        key = ("item", row["item_id"]) if row["variant_id"] is None else ("variant", row["variant_id"])
        quantities[key] = quantities.get(key, 0) - row["quantity"]
    if quantities:
        moved = await stock.move_stock(bill.owner_id, bill.store_id, quantities)
        await stock.record_changes(bill.owner_id, bill.store_id, moved, "refund", bill.id)


def _validate_line(bill: Bill, row: sql.Row, line: RefundLineBody, path: str) -> dict[str, list[str]]:
    left = row["quantity"] - row["refunded_quantity"]
    if left <= 0:
        return {f"{path}.line_id": [Sentence("All of %(item)s has been refunded.", item=row["name"])]}
    if line.quantity is not None and line.quantity > left:
        return {
            f"{path}.quantity": [
                Sentence("Only %(left)s of %(item)s can still be refunded.", left=left, item=row["name"])
            ]
        }
    if line.restock and not row["takes_stock"]:
        return {f"{path}.restock": [Sentence("The stock of %(item)s is not tracked.", item=row["name"])]}
    if line.restock and bill.status is Status.CANCELLED:
        return {f"{path}.restock": ["The items of this order were restocked when it was cancelled."]}
    return {}


def _price_line(row: sql.Row, line: RefundLineBody) -> PricedRefundLine:
    refunded, ordered = row["refunded_quantity"], row["quantity"]
    quantity = ordered - refunded if line.quantity is None else line.quantity

    def get_amount_minor(count: int) -> int:
        # Rounded cumulatively, so that all refunds of a line add up to its total.
        return round_half_up(row["total_minor"] * count, ordered)

    amount_minor = get_amount_minor(refunded + quantity) - get_amount_minor(refunded)
    return PricedRefundLine(line.line_id, quantity, amount_minor, line.restock)
