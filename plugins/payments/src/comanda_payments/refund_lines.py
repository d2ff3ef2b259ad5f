"""Which lines a refund is for: what goes back for so many of each, and what of it goes back into stock."""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.money import round_half_up
from comanda.orders import stock
from comanda.orders.settlement import Bill

from comanda_payments.models import RefundStatus
from comanda_payments.schemas import RefundLineBody

# A line of a variant took from the variant's stock, or from its item's where the variant has none of its own.
LINES = f"""
    SELECT l.id, l.name, l.quantity, l.total_minor, l.takes_stock, l.item_id,
        CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END AS variant_id,
        coalesce((SELECT sum(r.quantity) FROM payments_refund_line r
            JOIN payments_refund f ON f.id = r.refund_id AND f.owner_id = r.owner_id
            WHERE r.line_id = l.id AND r.owner_id = l.owner_id AND f.status <> '{RefundStatus.FAILED}'), 0)::int AS done
    FROM core_order_line l LEFT JOIN core_variant v ON v.id = l.variant_id AND v.owner_id = l.owner_id
    WHERE l.order_id = $1 AND l.owner_id = $2
"""
INSERT = """
    INSERT INTO payments_refund_line (owner_id, refund_id, line_id, quantity, amount_minor, is_restocked)
    SELECT $1, $2, l.line_id, l.quantity, l.amount_minor, l.is_restocked
    FROM unnest($3::bigint[], $4::int[], $5::bigint[], $6::boolean[])
        AS l (line_id, quantity, amount_minor, is_restocked)
"""
RESTOCKED = """
    SELECT l.item_id, CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END AS variant_id, r.quantity
    FROM payments_refund_line r JOIN core_order_line l ON l.id = r.line_id AND l.owner_id = r.owner_id
    LEFT JOIN core_variant v ON v.id = l.variant_id AND v.owner_id = l.owner_id
    WHERE r.refund_id = $1 AND r.owner_id = $2 AND r.is_restocked
"""


@dataclass(frozen=True, slots=True)
class Chosen:
    """So many of a line, with what goes back for them in minor units."""

    line_id: int
    quantity: int
    amount_minor: int
    is_restocked: bool


async def choose(bill: Bill, wanted: Sequence[RefundLineBody]) -> list[Chosen]:
    """Price the lines of a refund. Raises ``ValidationFailed`` for lines that the order has not, or no longer."""
    rows = {row["id"]: row for row in await sql.fetch(LINES, bill.id, bill.owner_id)}
    errors: dict[str, list[str]] = {}
    chosen: dict[int, Chosen] = {}
    for position, line in enumerate(wanted):
        where = f"lines.{position}"
        row = rows.get(line.line_id)
        if row is None or line.line_id in chosen:
            errors[f"{where}.line_id"] = [
                f"This order has no line {line.line_id}." if row is None else "This line is named twice."
            ]
            continue
        errors |= _problems(bill, row, line, where)
        chosen[line.line_id] = _priced(row, line)
    if errors:
        raise ValidationFailed(errors)
    return list(chosen.values())


async def write(owner_id: int, refund_id: int, lines: Sequence[Chosen]) -> None:
    """Write a refund's lines."""
    columns = ([line.line_id for line in lines], [line.quantity for line in lines])
    amounts = ([line.amount_minor for line in lines], [line.is_restocked for line in lines])
    await sql.execute(INSERT, owner_id, refund_id, *columns, *amounts)


async def restock(bill: Bill, refund_id: int) -> None:
    """Put back into stock what a refund says, in the open transaction; a cancelled order's is there already."""
    quantities: dict[stock.StockKey, int] = {}
    if bill.status is Status.CANCELLED:
        return
    for row in await sql.fetch(RESTOCKED, refund_id, bill.owner_id):
        key = ("item", row["item_id"]) if row["variant_id"] is None else ("variant", row["variant_id"])
        quantities[key] = quantities.get(key, 0) - row["quantity"]
    if quantities:
        moved = await stock.move_stock(bill.owner_id, bill.store_id, quantities)
        await stock.record_changes(bill.owner_id, bill.store_id, moved, "refund", bill.id)


def _problems(bill: Bill, row: sql.Row, line: RefundLineBody, where: str) -> dict[str, list[str]]:
    left = row["quantity"] - row["done"]
    if left <= 0:
        return {f"{where}.line_id": [f"All of {row['name']} has been refunded."]}
    if line.quantity is not None and line.quantity > left:
        return {f"{where}.quantity": [f"Only {left} of {row['name']} can still be refunded."]}
    if line.restock and not row["takes_stock"]:
        return {f"{where}.restock": [f"The stock of {row['name']} is not counted."]}
    if line.restock and bill.status is Status.CANCELLED:
        return {f"{where}.restock": ["The stock of this order went back when it was cancelled."]}
    return {}


def _priced(row: sql.Row, line: RefundLineBody) -> Chosen:
    done, whole = row["done"], row["quantity"]
    quantity = whole - done if line.quantity is None else line.quantity

    def worth(count: int) -> int:
        # Counted from the first, so that all of a line's refunds together are the line's total.
        return round_half_up(row["total_minor"] * count, whole)

    return Chosen(line.line_id, quantity, worth(done + quantity) - worth(done), line.restock)
