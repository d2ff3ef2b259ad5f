"""How a bill would be shared, without anything being written."""

from typing import Any

from comanda import money
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.orders import settlement
from comanda.orders.settlement import Bill

from comanda_payments import booking, splitting
from comanda_payments.amounts import minor, shown
from comanda_payments.schemas import SplitBody

LINES = "SELECT id, total_minor FROM core_order_line WHERE order_id = $1 AND owner_id = $2 ORDER BY position"


async def split(caller: Caller, store_id: int, order_id: int, body: SplitBody) -> dict[str, Any]:
    """Share what is left of an order. Raises ``NotFound``, ``ValidationFailed``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    left = await booking.left_of(bill)
    groups: list[list[int]] = []
    if body.by == "lines":
        parts, groups = await _by_lines(bill, left, body)
    elif body.by == "amount":
        parts = _by_amount(bill, left, body)
    elif body.n is None:
        raise ValidationFailed(n=["Say among how many."])
    else:
        parts = splitting.evenly(left, body.n)
    return {
        "left": money.to_number(left, bill.currency),
        "currency": bill.currency,
        "parts": [
            {
                "amount": money.to_number(part, bill.currency),
                "line_ids": groups[position] if position < len(groups) else [],
            }
            for position, part in enumerate(parts)
        ],
    }


def _by_amount(bill: Bill, left: int, body: SplitBody) -> list[int]:
    if body.amounts is None:
        raise ValidationFailed(amounts=["Say how much each pays."])
    amounts = [minor(amount, bill.currency, f"amounts.{place}") for place, amount in enumerate(body.amounts)]
    try:
        return splitting.by_amount(left, amounts)
    except ValueError as error:
        raise ValidationFailed(amounts=[f"{error} That is {shown(left, bill.currency)}."]) from error


async def _by_lines(bill: Bill, left: int, body: SplitBody) -> tuple[list[int], list[list[int]]]:
    if body.lines is None:
        raise ValidationFailed(lines=["Say which lines each had."])
    totals = {row["id"]: row["total_minor"] for row in await sql.fetch(LINES, bill.id, bill.owner_id)}
    groups = [list(group) for group in body.lines]
    named = [line_id for group in groups for line_id in group]
    if unknown := [line_id for line_id in named if line_id not in totals]:
        raise ValidationFailed(lines=[f"This order has no line {unknown[0]}."])
    if len(named) != len(set(named)):
        raise ValidationFailed(lines=["A line can be one guest's only."])
    if rest := [line_id for line_id in totals if line_id not in set(named)]:
        groups.append(rest)
    weights = [sum(totals[line_id] for line_id in group) for group in groups]
    return splitting.by_weight(bill.total_minor, left, weights), groups
