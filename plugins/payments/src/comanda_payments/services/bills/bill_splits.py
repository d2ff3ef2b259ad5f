"""Splitting a bill among guests: evenly, by amount, or by line. Nothing is written.

The parts are computed in minor units; what cannot be divided goes to the parts with the largest remainders, cent by
cent, and to the earlier of equals.
"""

from collections.abc import Sequence
from itertools import chain, repeat

from comanda.basics import Money, Sentence, ValidationFailed, money
from comanda.contracts import Caller
from comanda.orders import Bill, allocate, settlement
from comanda.platform.db import sql

from comanda_payments.records.payments import BillPart, BillSplit
from comanda_payments.schemas import SplitBody
from comanda_payments.services.bills import order_balance
from comanda_payments.services.bills.amounts import format_amount

SELECT_LINE_TOTALS = (
    "SELECT id, total_minor FROM core_order_line_v1 WHERE order_id = $1 AND owner_id = $2 ORDER BY position"
)


async def preview_split(caller: Caller, store_id: int, order_id: int, body: SplitBody) -> BillSplit:
    """Return the parts in which the amount due of an order would be paid. Raises ``NotFound``, ``ValidationFailed``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    amount_due_minor = await order_balance.get_payable_minor(bill)
    groups: list[list[int]] = []
    if body.by == "lines":
        parts, groups = await _preview_by_lines(bill, amount_due_minor, body)
    elif body.by == "amount":
        parts = _preview_by_amount(bill, amount_due_minor, body)
    elif body.n is None:
        raise ValidationFailed(n=[Sentence("This field is required to split evenly.")])
    else:
        parts = split_evenly(amount_due_minor, body.n)
    lines = chain(groups, repeat([]))
    return BillSplit(
        left=Money(amount_due_minor, bill.currency),
        currency=bill.currency,
        parts=[BillPart(Money(part, bill.currency), ids) for part, ids in zip(parts, lines, strict=False)],
    )


def split_evenly(amount_due_minor: int, n: int) -> list[int]:
    """Split into ``n`` equal parts; the first ones pay a cent more if it cannot be divided."""
    return allocate(amount_due_minor, [1] * n)


def split_by_amount(amount_due_minor: int, amounts_minor: Sequence[int]) -> list[int]:
    """Split into the amounts given, plus the rest. Raises ``ValueError`` if they exceed the amount due."""
    rest = amount_due_minor - sum(amounts_minor)
    if rest < 0:
        raise ValueError("The amounts exceed the amount due.")
    return [*amounts_minor, rest] if rest else list(amounts_minor)


def split_by_weight(total_minor: int, amount_due_minor: int, weights: Sequence[int]) -> list[int]:
    """Split the total in proportion to ``weights``, so that fees and tips follow the lines.

    What has been paid already reduces the last parts first: a guest's share does not depend on who paid before.
    """
    if sum(weights) == 0:
        return split_evenly(amount_due_minor, len(weights))
    parts: list[int] = []
    for share in allocate(total_minor, weights):
        parts.append(min(share, amount_due_minor - sum(parts)))
    return parts


def _preview_by_amount(bill: Bill, amount_due_minor: int, body: SplitBody) -> list[int]:
    if body.amounts is None:
        raise ValidationFailed(amounts=[Sentence("This field is required to split by amount.")])
    amounts = [
        money.parse_amount(amount, bill.currency, f"amounts.{position}") for position, amount in enumerate(body.amounts)
    ]
    try:
        return split_by_amount(amount_due_minor, amounts)
    except ValueError as error:
        raise ValidationFailed(
            amounts=[
                Sentence("Must add up to at most %(amount)s.", amount=format_amount(amount_due_minor, bill.currency))
            ]
        ) from error


async def _preview_by_lines(bill: Bill, amount_due_minor: int, body: SplitBody) -> tuple[list[int], list[list[int]]]:
    if body.lines is None:
        raise ValidationFailed(lines=[Sentence("This field is required to split by line.")])
    totals = {row["id"]: row["total_minor"] for row in await sql.fetch(SELECT_LINE_TOTALS, bill.id, bill.owner_id)}
    groups = [list(group) for group in body.lines]
    assigned = [line_id for group in groups for line_id in group]
    if unknown := [line_id for line_id in assigned if line_id not in totals]:
        raise ValidationFailed(lines=[Sentence("This order has no line %(id)s.", id=unknown[0])])
    if len(assigned) != len(set(assigned)):
        raise ValidationFailed(lines=[Sentence("A line can only be assigned to one guest.")])
    if rest := [line_id for line_id in totals if line_id not in set(assigned)]:
        groups.append(rest)
    weights = [sum(totals[line_id] for line_id in group) for group in groups]
    return split_by_weight(bill.total_minor, amount_due_minor, weights), groups
