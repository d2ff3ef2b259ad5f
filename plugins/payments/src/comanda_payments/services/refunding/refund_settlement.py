"""The parts of refunds that go through a provider, the completion of refunds, and those of lost disputes."""

from typing import Final

import structlog
from comanda.basics import clock, money
from comanda.contracts import DisputeState, PaymentDeclined, ProviderOutcome, ProviderState, RefundRequest
from comanda.orders import Bill, settlement
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.events import RefundCompleted
from comanda_payments.models import LedgerEntryKind, RefundStatus
from comanda_payments.payment_methods import STORE_CREDIT
from comanda_payments.services.balances import ledgers, store_credit
from comanda_payments.services.balances.ledgers import GIFT_CARD_LEDGER, STORE_CREDIT_LEDGER
from comanda_payments.services.bills.payment_rows import (
    INSERT_REFUND,
    INSERT_REFUND_PART,
    SELECT_REFUND_LINES,
    SELECT_REFUND_PARTS,
)
from comanda_payments.services.prepaid import prepayment_settlement
from comanda_payments.services.prepaid.prepayment_rows import Prepayment
from comanda_payments.services.providers import hosted_payments
from comanda_payments.services.providers.due_checks import claim_each
from comanda_payments.services.providers.hosted_payments import MAX_FAILURE_LENGTH, NEXT_CHECK_AT
from comanda_payments.services.refunding import refund_lines

log = structlog.get_logger(__name__)

MAX_REASON_LENGTH: Final = 500

SELECT_REFUND_PART = """
    SELECT r.id, r.owner_id, r.refund_id, r.payment_id, r.amount_minor, r.status, r.gateway_reference, p.method,
        p.charge_reference, p.payment_account_id, p.store_id, p.order_id, p.prepayment_id,
        coalesce(o.currency, q.currency) AS currency
    FROM payments_refund_part r JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
    LEFT JOIN core_order_v1 o ON o.id = p.order_id AND o.owner_id = p.owner_id
    LEFT JOIN payments_prepayment q ON q.id = p.prepayment_id AND q.owner_id = p.owner_id
    WHERE r.id = $1 AND r.owner_id = $2
"""
UPDATE_PART_REFERENCE = "UPDATE payments_refund_part SET gateway_reference = $3 WHERE id = $1 AND owner_id = $2"
UPDATE_PART_STATUS = """
    UPDATE payments_refund_part SET status = $3, failure = $4, check_at = NULL WHERE id = $1 AND owner_id = $2
"""
RELEASE_REFUNDED_AMOUNT = (
    "UPDATE payments_payment SET refunded_minor = refunded_minor - $3 WHERE id = $1 AND owner_id = $2"
)
SELECT_REFUND = "SELECT id, reason, actor FROM payments_refund WHERE id = $1 AND owner_id = $2"
# A refund whose parts have all failed keeps the amount that was requested.
COMPLETE_REFUND = """
    UPDATE payments_refund SET status = $3, amount_minor = coalesce($4, amount_minor), completed_at = $5
    WHERE id = $1 AND owner_id = $2
"""
# What a provider took back and no refund has booked: the amount of a refund that is pending waits for its outcome.
SELECT_LOSSES = f"""
    SELECT d.id, d.reference, d.reason,
        least(d.amount_minor - d.refunded_minor, p.amount_minor - p.refunded_minor) AS amount_minor
    FROM payments_dispute d JOIN payments_payment p ON p.id = d.payment_id AND p.owner_id = d.owner_id
    WHERE d.payment_id = $1 AND d.owner_id = $2 AND d.state = '{DisputeState.LOST}'
        AND d.amount_minor > d.refunded_minor AND p.amount_minor > p.refunded_minor
    ORDER BY d.id LIMIT 1
"""
BOOK_LOSS = """
    UPDATE payments_dispute SET refunded_minor = refunded_minor + $3, refund_id = coalesce(refund_id, $4)
    WHERE id = $1 AND owner_id = $2
"""
SELECT_DUE_PARTS = f"""
    SELECT id, owner_id FROM payments_refund_part
    WHERE check_at <= $1 AND status = '{RefundStatus.PENDING}' ORDER BY check_at LIMIT 100
"""
# The interval grows with the age of the refund.
CLAIM_PART = f"""
    UPDATE payments_refund_part r SET check_at = {NEXT_CHECK_AT.format(created_at="f.created_at")}
    FROM payments_refund f
    WHERE f.id = r.refund_id AND f.owner_id = r.owner_id AND r.id = $2 AND r.owner_id = $3 AND r.check_at <= $1
        AND r.status = '{RefundStatus.PENDING}' RETURNING r.id
"""


async def check_due_parts() -> None:
    """Process all pending parts that are due for a check."""
    async for row in claim_each(await sql.fetch(SELECT_DUE_PARTS, clock.now()), CLAIM_PART):
        await process_part(row["owner_id"], row["id"])


async def process_part(owner_id: int, part_id: int) -> None:
    """Request the refund of a part from its provider, or its status, and record the outcome if it is final."""
    row = await sql.fetch_one(SELECT_REFUND_PART, part_id, owner_id)
    if row is None or row["status"] != RefundStatus.PENDING:
        return
    try:
        outcome = await _request_outcome(row)
    except PaymentDeclined as refusal:
        outcome = ProviderOutcome(ProviderState.FAILED, failure=str(refusal))
    except Exception as error:  # the task tries again
        log.warning("refund_not_made", part_id=part_id, error=repr(error))
        return
    await _record_part_outcome(row, outcome)


async def complete_refund(bill: Bill, refund_id: int) -> Bill:
    """Complete a refund of an order once none of its parts is pending, in the open transaction that locks the order.

    Credits gift cards and store credit, restocks items, and returns the new bill. Emits ``RefundCompleted`` unless
    every part failed.
    """
    parts = await sql.fetch(SELECT_REFUND_PARTS, refund_id, bill.owner_id)
    if any(part["status"] == RefundStatus.PENDING for part in parts):
        return bill
    done = [part for part in parts if part["status"] == RefundStatus.COMPLETED]
    amount = sum(part["amount_minor"] for part in done)
    refund = await sql.one(SELECT_REFUND, refund_id, bill.owner_id)
    if not done:
        await sql.execute(COMPLETE_REFUND, refund_id, bill.owner_id, RefundStatus.FAILED.value, None, None)
        return bill
    # Like an amendment or a cancellation, which move stock before what they refund reaches a ledger.
    await refund_lines.restock_items(bill, refund_id)
    await _credit_ledgers(bill, done, refund["actor"])
    await sql.execute(COMPLETE_REFUND, refund_id, bill.owner_id, RefundStatus.COMPLETED.value, amount, clock.now())
    after = await settlement.settle(bill, refund["actor"], refunded_minor=amount)
    event = await _create_refund_completed_event(bill, refund, amount)
    await publish(event, owner_id=bill.owner_id, store_id=bill.store_id)
    return after


async def refund_losses(debt: Bill | Prepayment, payment_id: int) -> None:
    """Refund what lost disputes took of a payment, in the open transaction that locks what it is of.

    At most what has not been refunded, and is not about to be: if that fails, this is called again.
    """
    while (loss := await sql.fetch_one(SELECT_LOSSES, payment_id, debt.owner_id)) is not None:
        amount, reason = loss["amount_minor"], f"Dispute lost: {loss['reason'] or loss['reference']}"
        refund_id = await _insert_made_refund(debt, payment_id, amount, reason)
        await sql.execute(BOOK_LOSS, loss["id"], debt.owner_id, amount, refund_id)
        debt = await _complete(debt, refund_id)


async def book_made_refund(
    debt: Bill | Prepayment, payment_id: int, amount_minor: int, reason: str, reference: str
) -> None:
    """Book a refund that the provider has made, in the open transaction that locks what the payment is of."""
    refund_id = await _insert_made_refund(debt, payment_id, amount_minor, reason, reference)
    await _complete(debt, refund_id)


async def _insert_made_refund(
    debt: Bill | Prepayment, payment_id: int, amount_minor: int, reason: str, reference: str | None = None
) -> int:
    order_id, prepayment_id = (debt.id, None) if isinstance(debt, Bill) else (None, debt.id)
    refund_id: int = await sql.fetch_value(
        INSERT_REFUND, debt.owner_id, debt.store_id, order_id, amount_minor, reason[:MAX_REASON_LENGTH],
        hosted_payments.ACTOR, None, None, clock.now(), prepayment_id,
    )  # fmt: skip
    part = (payment_id, amount_minor, RefundStatus.COMPLETED.value, None, None)
    part_id = await sql.fetch_value(INSERT_REFUND_PART, debt.owner_id, refund_id, *part)
    if reference is not None:
        await sql.execute(UPDATE_PART_REFERENCE, part_id, debt.owner_id, reference)
    return refund_id


async def _complete(debt: Bill | Prepayment, refund_id: int) -> Bill | Prepayment:
    if isinstance(debt, Bill):
        return await complete_refund(debt, refund_id)
    return await prepayment_settlement.complete_refund(debt, refund_id)


async def _request_outcome(row: sql.Row) -> ProviderOutcome:
    calls = await hosted_payments.open_calls(row)
    if calls is None:
        return ProviderOutcome(ProviderState.PENDING)
    if row["gateway_reference"] is not None:
        return await calls.check_refund(row["gateway_reference"])
    if row["charge_reference"] is None:
        raise PaymentDeclined("The gateway gave no charge reference for this payment, so it cannot be refunded there.")
    key = f"refund-{row['owner_id']}-{row['id']}"
    request = RefundRequest(key, row["charge_reference"], row["amount_minor"], row["currency"])
    outcome = await calls.refund(request)
    await sql.execute(UPDATE_PART_REFERENCE, row["id"], row["owner_id"], outcome.reference)
    return outcome


async def _record_part_outcome(part: sql.Row, outcome: ProviderOutcome) -> None:
    if outcome.state is ProviderState.PENDING:
        return
    owner_id, part_id = part["owner_id"], part["id"]
    has_failed = outcome.state is ProviderState.FAILED
    async with sql.transaction():
        debt = await hosted_payments.lock_debt(part)
        row = await sql.fetch_one(SELECT_REFUND_PART, part_id, owner_id)
        if row is None or row["status"] != RefundStatus.PENDING:
            return
        if row["order_id"] != part["order_id"]:
            return  # merged into another order meanwhile; the task tries again
        status = RefundStatus.FAILED if has_failed else RefundStatus.COMPLETED
        failure = (outcome.failure or "")[:MAX_FAILURE_LENGTH] if has_failed else None
        await sql.execute(UPDATE_PART_STATUS, part_id, owner_id, status.value, failure)
        if has_failed:
            await sql.execute(RELEASE_REFUNDED_AMOUNT, row["payment_id"], owner_id, row["amount_minor"])
        debt = await _complete(debt, row["refund_id"])
        if has_failed:
            await refund_losses(debt, row["payment_id"])


async def _credit_ledgers(bill: Bill, parts: list[sql.Row], actor: str) -> None:
    # Refunds of different orders may credit the same cards: locking them in the order of their ids avoids deadlocks.
    for ledger, column in ((GIFT_CARD_LEDGER, "card_id"), (STORE_CREDIT_LEDGER, "account_id")):
        for part in sorted((part for part in parts if part[column] is not None), key=lambda part: int(part[column])):
            entry = (part[column], part["amount_minor"], LedgerEntryKind.REFUND, actor)
            await ledgers.record_entry(ledger, bill.owner_id, *entry, order_id=bill.id)
    for part in parts:
        if part["method"] == STORE_CREDIT and part["account_id"] is None:
            account_id = await store_credit.get_or_create_account_id(bill)
            entry = (account_id, part["amount_minor"], LedgerEntryKind.REFUND, actor)
            await ledgers.record_entry(STORE_CREDIT_LEDGER, bill.owner_id, *entry, order_id=bill.id)


async def _create_refund_completed_event(bill: Bill, refund: sql.Row, amount_minor: int) -> RefundCompleted:
    lines = [
        {
            "line_id": row["line_id"],
            "quantity": row["quantity"],
            "amount": money.to_decimal_string(row["amount_minor"], bill.currency),
            "restock": row["is_restocked"],
        }
        for row in await sql.fetch(SELECT_REFUND_LINES, refund["id"], bill.owner_id)
    ]
    return RefundCompleted(
        refund_id=refund["id"],
        order_id=bill.id,
        restaurant_id=bill.store_id,
        amount=money.to_decimal_string(amount_minor, bill.currency),
        currency=bill.currency,
        reason=refund["reason"],
        lines=lines,
    )
