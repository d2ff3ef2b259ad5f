"""Prepayments as their owner sees them: what is owed, refunded, kept as revenue, or applied to an order."""

from typing import Final

from comanda.basics import Conflict, Money, NotFound, Sentence, ValidationFailed, clock, extend_record, money
from comanda.contracts import NO_IDEMPOTENCY_KEY, Caller, PageRequest, RecordPage, Status
from comanda.orders import settlement
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_payments.models import PrepaymentKind, PrepaymentStatus, TenderStatus
from comanda_payments.records.prepayments import OwnPrepayment, OwnPrepaymentDetail, PaidPart
from comanda_payments.schemas import PrepaymentQuery, PrepaymentRefundBody, RefundBody
from comanda_payments.services.bills import order_balance
from comanda_payments.services.bills.amounts import format_amount
from comanda_payments.services.prepaid import prepayment_settlement
from comanda_payments.services.prepaid.prepayment_rows import (
    COLUMNS,
    Prepayment,
    get_prepayment,
    lock_prepayment,
    set_status,
    to_prepayment,
    to_record,
)
from comanda_payments.services.providers import due_checks
from comanda_payments.services.refunding import refunds

FROM_PREPAYMENTS: Final = """FROM payments_prepayment
    WHERE store_id = $1 AND owner_id = $2 AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR status = $4)"""
SELECT_PAYMENTS: Final = f"""
    SELECT id, method, amount_minor, refunded_minor, reference, finished_at AS paid_at FROM payments_payment
    WHERE prepayment_id = $1 AND owner_id = $2 AND status = '{TenderStatus.SUCCEEDED}' ORDER BY finished_at, id
"""
# Its money counts towards the order from now on.
APPLY_PAYMENT: Final = f"""
    UPDATE payments_payment SET order_id = $3, applied_at = $4
    WHERE prepayment_id = $1 AND owner_id = $2 AND status = '{TenderStatus.SUCCEEDED}' AND refunded_minor = 0
    RETURNING amount_minor
"""


async def list_prepayments(
    caller: Caller, store_id: int, query: PrepaymentQuery, page: PageRequest
) -> RecordPage[OwnPrepayment]:
    """List a store's prepayments, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    filters = (store_id, caller.owner_id, query.kind, query.status)
    newest = f"SELECT {COLUMNS} {FROM_PREPAYMENTS} ORDER BY id DESC LIMIT $5 OFFSET $6"
    rows = await sql.fetch(newest, *filters, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(f"SELECT count(*) {FROM_PREPAYMENTS}", *filters))
    return page.of([to_record(to_prepayment(row)) for row in rows], total)


async def get_own_prepayment(caller: Caller, store_id: int, prepayment_id: int) -> OwnPrepaymentDetail:
    """Return a prepayment of a store with its payments. Raises ``NotFound``."""
    await require_store(caller, store_id)
    found = await get_prepayment(caller.owner_id, prepayment_id)
    _check_store(found, store_id)
    rows = await sql.fetch(SELECT_PAYMENTS, found.id, found.owner_id)
    return extend_record(
        OwnPrepaymentDetail, to_record(found), payments=[_to_part(row, found.currency) for row in rows]
    )


async def refund_prepayment(
    caller: Caller, store_id: int, prepayment_id: int, body: PrepaymentRefundBody
) -> OwnPrepayment:
    """Refund a paid deposit or a part of it, after which it is paid again. Emits ``PrepaymentChanged``.

    Raises ``NotFound``; ``Conflict`` with the status as its ``reason`` for one that is not paid; ``ValidationFailed``
    for more than was paid.
    """
    async with sql.transaction():
        prepayment = await _lock_deposit(caller, store_id, prepayment_id)
        amount_minor = _parse_part(prepayment, body.amount)
        after = await prepayment_settlement.refund_payments(
            prepayment, body.reason, caller.actor, amount_minor=amount_minor, drawer=body.drawer
        )
    return to_record(after)


async def keep_prepayment(caller: Caller, store_id: int, prepayment_id: int) -> OwnPrepayment:
    """Keep a paid deposit as revenue. Raises and emits like ``refund_prepayment``."""
    async with sql.transaction():
        prepayment = await _lock_deposit(caller, store_id, prepayment_id)
        after = await set_status(prepayment, PrepaymentStatus.KEPT)
    return to_record(after)


async def apply_prepayment(caller: Caller, store_id: int, prepayment_id: int, order_id: int) -> OwnPrepayment:
    """Apply a paid deposit to an order: its payment becomes one of the order, and what is above the bill goes back.

    Raises like ``refund_prepayment``, and ``Conflict`` if nothing is due of the order, or a part was refunded. Emits
    ``PrepaymentChanged``, and ``OrderPaid`` when the order becomes paid.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        prepayment = await _lock_deposit(caller, store_id, prepayment_id)
        if bill.currency != prepayment.currency:
            raise Conflict(Sentence("This deposit is in another currency."), extras={"reason": "currency"})
        payable_minor = 0 if bill.status is Status.CANCELLED else await order_balance.get_payable_minor(bill)
        if payable_minor == 0:
            raise Conflict(Sentence("Nothing is due of this order."), extras={"reason": "nothing_due"})
        rows = await sql.fetch(APPLY_PAYMENT, prepayment.id, prepayment.owner_id, bill.id, clock.now())
        if not rows:
            message = "A part of this deposit was refunded. Keep or refund the rest."
            raise Conflict(message, extras={"reason": "partly_refunded"})
        amount_minor = sum(row["amount_minor"] for row in rows)
        after = await set_status(prepayment, PrepaymentStatus.APPLIED, order_id=bill.id)
        bill = await order_balance.apply_payment(bill, caller.actor, amount_minor)
        if amount_minor > payable_minor:
            excess = money.to_number(amount_minor - payable_minor, bill.currency)
            body = RefundBody(reason=prepayment_settlement.ABOVE_BILL, amount=excess)
            await refunds.make_refund(bill, body, caller.actor, NO_IDEMPOTENCY_KEY, check_at=clock.now())
            due_checks.request_check()
    return to_record(after)


async def _lock_deposit(caller: Caller, store_id: int, prepayment_id: int) -> Prepayment:
    """Lock a deposit of a store that is paid. Raises ``NotFound``; ``Conflict`` for any other status."""
    await require_store(caller, store_id)
    prepayment = await lock_prepayment(caller.owner_id, prepayment_id)
    _check_store(prepayment, store_id)
    if prepayment.kind is not PrepaymentKind.DEPOSIT:
        raise Conflict(Sentence("A gift card that was sold is spent, or blocked."), extras={"reason": "gift_card"})
    if prepayment.status is not PrepaymentStatus.PAID:
        raise Conflict(f"This deposit is {prepayment.status}.", extras={"reason": prepayment.status.value})
    return prepayment


def _parse_part(prepayment: Prepayment, amount: float | None) -> int | None:
    """Return a part of what was paid, None for all of it. Raises ``ValidationFailed``."""
    if amount is None:
        return None
    amount_minor = money.parse_amount(amount, prepayment.currency, "amount")
    if not 0 < amount_minor <= prepayment.held_minor:
        largest = format_amount(prepayment.held_minor, prepayment.currency)
        raise ValidationFailed(amount=[Sentence("Must be more than 0, and at most %(largest)s.", largest=largest)])
    return amount_minor


def _to_part(row: sql.Row, currency: str) -> PaidPart:
    amounts = {name: Money(row[f"{name}_minor"], currency) for name in ("amount", "refunded")}
    return sql.to_record(PaidPart, row, **amounts)


def _check_store(prepayment: Prepayment, store_id: int) -> None:
    if prepayment.store_id != store_id:
        raise NotFound
