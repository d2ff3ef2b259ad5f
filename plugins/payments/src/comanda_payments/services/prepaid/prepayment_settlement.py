"""What a provider collected of prepayments and gave back, booked in the transaction that locks them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_payments.models import GiftCardStatus, LedgerEntryKind, PrepaymentKind, PrepaymentStatus, RefundStatus
from comanda_payments.models import TenderStatus as PaymentStatus
from comanda_payments.services.balances import gift_card_codes, ledgers
from comanda_payments.services.balances.gift_cards import INSERT_GIFT_CARD, UPDATE_GIFT_CARD_STATUS
from comanda_payments.services.balances.ledgers import GIFT_CARD_LEDGER
from comanda_payments.services.bills import available_methods, payment_books
from comanda_payments.services.bills.payment_rows import INSERT_REFUND, INSERT_REFUND_PART, SELECT_REFUND_PARTS
from comanda_payments.services.prepaid.prepayment_rows import COLUMNS, Prepayment, set_status, to_prepayment
from comanda_payments.services.providers import due_checks
from comanda_payments.store_settings import get_settings

ACTOR: Final = "gateway"
LATE: Final = "Paid after it was closed"
ABOVE_BILL: Final = "Deposit above the bill"
ADD_AMOUNTS: Final = f"""
    UPDATE payments_prepayment SET paid_minor = paid_minor + $3, refunded_minor = refunded_minor + $4
    WHERE id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""
SET_CARD: Final = "UPDATE payments_prepayment SET card_id = $3, code = $4 WHERE id = $1 AND owner_id = $2"
SELECT_REFUNDABLE_PAYMENTS: Final = f"""
    SELECT id, method, amount_minor - refunded_minor AS amount_minor FROM payments_payment
    WHERE prepayment_id = $1 AND owner_id = $2 AND order_id IS NULL AND status = '{PaymentStatus.SUCCEEDED}'
        AND amount_minor > refunded_minor AND ($3::bigint IS NULL OR id = $3) ORDER BY id
"""
END_REFUND: Final = """
    UPDATE payments_refund SET status = $3, amount_minor = coalesce($4, amount_minor), completed_at = $5
    WHERE id = $1 AND owner_id = $2
"""


async def book_payment(prepayment: Prepayment, payment_id: int, amount_minor: int) -> None:
    """Book money that a provider has collected for a locked prepayment, and issue the gift card that was bought.

    Money for one that is not open any more goes back: it was paid twice, or after it was cancelled. Emits
    ``PrepaymentChanged``.
    """
    if amount_minor == 0:
        return
    after = await _add(prepayment, paid_minor=amount_minor)
    if prepayment.status is not PrepaymentStatus.OPEN:
        await refund_payments(after, LATE, ACTOR, payment_id=payment_id)
        return
    if prepayment.kind is PrepaymentKind.GIFT_CARD:
        await _issue_gift_card(after, amount_minor)
    await set_status(after, PrepaymentStatus.PAID)


async def refund_payments(
    prepayment: Prepayment,
    reason: str,
    actor: str,
    *,
    payment_id: int | None = None,
    amount_minor: int | None = None,
    drawer: str | None = None,
    is_unattended: bool = False,
) -> Prepayment:
    """Refund what was paid for a locked prepayment, a part of it, or one payment of it, and return it as it is then.

    The task asks the provider after the commit. Nothing of a paid one can be applied or kept meanwhile, unless the
    payment was one too many. What was paid at the desk is given back there at once, in cash from the ``drawer``; where
    ``is_unattended``, nobody is there to do so, and it stays paid.
    """
    payments = await sql.fetch(SELECT_REFUNDABLE_PAYMENTS, prepayment.id, prepayment.owner_id, payment_id)
    if is_unattended:
        payments = [row for row in payments if not available_methods.needs_staff(row["method"])]
        if not payments:
            return prepayment
    parts = _divide(payments, amount_minor)
    amount_minor, moment = sum(parts.values()), clock.now()
    refund_id = await sql.fetch_value(
        INSERT_REFUND, prepayment.owner_id, prepayment.store_id, None, amount_minor, reason, actor, None, None, moment,
        prepayment.id,
    )  # fmt: skip
    methods = {row["id"]: row["method"] for row in payments}
    for id, part_minor in parts.items():
        is_immediate = available_methods.is_immediate(methods[id])
        state = (RefundStatus.COMPLETED.value, None) if is_immediate else (RefundStatus.PENDING.value, moment)
        await sql.fetch_value(INSERT_REFUND_PART, prepayment.owner_id, refund_id, id, part_minor, *state, None)
        entry = (prepayment, id, refund_id, methods[id], part_minor)
        await payment_books.record_refund(*entry, actor=actor, drawer=drawer)
    due_checks.request_check()
    if payment_id is None and prepayment.status is PrepaymentStatus.PAID:
        prepayment = await set_status(prepayment, PrepaymentStatus.REFUNDING)
    return await complete_refund(prepayment, refund_id)


async def use_prepayment(prepayment: Prepayment, price_minor: int, actor: str) -> Prepayment:
    """Apply a locked prepayment that is paid to what has no order; what is above its price goes back."""
    if price_minor <= 0:
        return await refund_payments(prepayment, ABOVE_BILL, actor)
    after = await set_status(prepayment, PrepaymentStatus.APPLIED)
    if after.held_minor > price_minor:
        await refund_payments(after, ABOVE_BILL, actor, amount_minor=after.held_minor - price_minor)
    return after


async def complete_refund(prepayment: Prepayment, refund_id: int) -> Prepayment:
    """Complete a refund of a locked prepayment once none of its parts is pending, and return the prepayment.

    A gift card whose money went back cannot be spent any more. Emits ``PrepaymentChanged`` unless every part failed.
    """
    parts = await sql.fetch(SELECT_REFUND_PARTS, refund_id, prepayment.owner_id)
    if any(part["status"] == RefundStatus.PENDING for part in parts):
        return prepayment
    amount = sum(part["amount_minor"] for part in parts if part["status"] == RefundStatus.COMPLETED)
    status, completed_at = (RefundStatus.COMPLETED, clock.now()) if amount else (RefundStatus.FAILED, None)
    await sql.execute(END_REFUND, refund_id, prepayment.owner_id, status.value, amount or None, completed_at)
    after = await _add(prepayment, refunded_minor=amount)
    became = prepayment.status
    is_over = became in (PrepaymentStatus.OPEN, PrepaymentStatus.CANCELLED)
    if after.refunded_minor < after.paid_minor or is_over:
        became = PrepaymentStatus.PAID if became is PrepaymentStatus.REFUNDING else became
        return await set_status(after, became, has_failed=not amount)
    if after.card_id is not None:
        blocked = GiftCardStatus.BLOCKED.value
        await sql.execute(UPDATE_GIFT_CARD_STATUS, after.card_id, after.owner_id, after.store_id, blocked)
    return await set_status(after, PrepaymentStatus.REFUNDED)


def _divide(payments: Sequence[sql.Row], amount_minor: int | None) -> dict[int, int]:
    """Return what is refunded of each payment: all of them, or an amount of the first ones."""
    left, parts = amount_minor, {}
    for row in payments:
        part = row["amount_minor"] if left is None else min(left, row["amount_minor"])
        left = None if left is None else left - part
        if part:
            parts[row["id"]] = part
    return parts


async def _add(prepayment: Prepayment, *, paid_minor: int = 0, refunded_minor: int = 0) -> Prepayment:
    row = await sql.one(ADD_AMOUNTS, prepayment.id, prepayment.owner_id, paid_minor, refunded_minor)
    return to_prepayment(row)


async def _issue_gift_card(prepayment: Prepayment, amount_minor: int) -> None:
    owner_id, moment = prepayment.owner_id, clock.now()
    code = gift_card_codes.generate_code()
    sales = await get_settings(owner_id, prepayment.store_id)
    columns = (gift_card_codes.hash_code(code), code[-4:], prepayment.currency, amount_minor, None)
    card_id = await sql.fetch_value(
        INSERT_GIFT_CARD, owner_id, prepayment.store_id, None, *columns, _get_expiry(moment, sales.valid_years), moment,
        None, None,
    )  # fmt: skip
    await ledgers.record_entry(GIFT_CARD_LEDGER, owner_id, card_id, amount_minor, LedgerEntryKind.ISSUE, ACTOR)
    sealed = gift_card_codes.encrypt_sold_code(code, owner_id, prepayment.id)
    await sql.execute(SET_CARD, prepayment.id, owner_id, card_id, sealed)


def _get_expiry(moment: datetime, years: int | None) -> datetime | None:
    """Return the end of a card's life, at the end of a year as the law of some countries counts."""
    return None if years is None else datetime(moment.year + years + 1, 1, 1, tzinfo=moment.tzinfo)
