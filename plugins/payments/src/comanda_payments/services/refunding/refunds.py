"""Refunds of orders: each goes back to the tenders that were used, the latest first."""

from collections.abc import Sequence
from datetime import datetime

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money
from comanda.contracts import (
    NO_IDEMPOTENCY_KEY,
    Caller,
    ExcessRefund,
    IdempotencyKey,
    IdempotentResult,
    PageRequest,
    PlacedOrder,
    RecordPage,
    validate_values,
)
from comanda.orders import Bill, balance, settlement
from comanda.platform.db import KeyedTable, sql

from comanda_payments import payment_methods
from comanda_payments.models import GiftCardStatus, RefundStatus, TenderStatus
from comanda_payments.records.payments import Refund
from comanda_payments.schemas import RefundBody
from comanda_payments.services.balances import gift_cards, store_credit
from comanda_payments.services.bills import available_methods, driver_cash, order_balance, payment_books
from comanda_payments.services.bills.amounts import format_amount
from comanda_payments.services.bills.payment_rows import (
    INSERT_REFUND,
    INSERT_REFUND_PART,
    SELECT_REFUND_PARTS,
    load_refund,
)
from comanda_payments.services.providers import due_checks, hosted_payments
from comanda_payments.services.refunding import refund_lines, refund_settlement
from comanda_payments.services.refunding.refund_lines import PricedRefundLine

COLUMNS = "id, owner_id, store_id, order_id, status, amount_minor, reason, created_at, completed_at"
SELECT_REFUNDS = f"SELECT {COLUMNS} FROM payments_refund WHERE order_id = $1 AND owner_id = $2"
COUNT_REFUNDS = "SELECT count(*) FROM payments_refund WHERE order_id = $1 AND owner_id = $2"
SELECT_REFUNDABLE_PAYMENTS = f"""
    SELECT p.id, p.method, p.amount_minor - p.refunded_minor AS refundable_minor, p.card_id, c.status, c.expires_at,
        c.code_last4
    FROM payments_payment p LEFT JOIN payments_gift_card c ON c.id = p.card_id AND c.owner_id = p.owner_id
    WHERE p.order_id = $1 AND p.owner_id = $2 AND p.status = '{TenderStatus.SUCCEEDED}'
        AND p.amount_minor > p.refunded_minor
    ORDER BY coalesce(p.applied_at, p.finished_at) DESC, p.id DESC
"""
SUM_PENDING_REFUNDS = f"""
    SELECT coalesce(sum(r.amount_minor), 0)
    FROM payments_refund_part r JOIN payments_refund f ON f.id = r.refund_id AND f.owner_id = r.owner_id
    WHERE f.order_id = $1 AND f.owner_id = $2 AND f.status = '{RefundStatus.PENDING}'
        AND r.status <> '{RefundStatus.FAILED}'
"""
REFUND_KEYS = KeyedTable("payments_refund", "order_id")


async def create_refund(
    caller: Caller, store_id: int, order_id: int, body: RefundBody, key: IdempotencyKey
) -> IdempotentResult[Refund]:
    """Create a refund of an order, at most what was paid and not yet refunded; a repeat of ``key`` returns the first.

    Charges that are not refundable are never paid back, not even when the order is cancelled.
    Emits ``RefundCompleted`` once every part is done, which may be later for a gateway. Raises ``NotFound``;
    ``Conflict`` if there is nothing to refund; ``ValidationFailed`` if the amount or the lines exceed that, or if a
    gift card cannot be credited and the body has no other ``method``.
    """

    async def create() -> int:
        async with sql.transaction():
            bill = await settlement.lock_bill(caller, store_id, order_id)
            refund_id, provider_part_ids = await make_refund(
                bill, body, caller.actor, key, check_at=clock.now() + hosted_payments.CHECK_DELAY
            )
        for part_id in provider_part_ids:
            await refund_settlement.process_part(caller.owner_id, part_id)
        return refund_id

    async def load(refund_id: int) -> Refund:
        return await get_refund(caller, store_id, order_id, refund_id)

    return await REFUND_KEYS.create_once(caller.owner_id, order_id, key, create, load)


async def refund_excess(order: PlacedOrder, request: ExcessRefund) -> None:
    """Refund what was paid for an order above an amount, in the open transaction that amends or cancels the order.

    A refund that is still pending counts as made. What goes through a provider is left to ``refund_settlement``, so
    that the order is not locked meanwhile. Emits and raises like ``create_refund``, on fields below ``refund``.
    """
    bill = await settlement.lock_bill_of(order.owner_id, order.store_id, order.id)
    pending_minor = int(await sql.fetch_value(SUM_PENDING_REFUNDS, bill.id, bill.owner_id))
    kept_minor = bill.paid_minor - bill.refunded_minor - pending_minor
    excess_minor = kept_minor - max(request.keep_minor, bill.non_refundable_minor)
    if excess_minor <= 0:
        return
    if request.is_unattended:
        await _check_needs_no_staff(bill)
    amount = money.to_number(excess_minor, bill.currency)
    fields = {"reason": request.reason, "amount": amount, "method": request.method, "drawer": request.drawer}
    try:
        body = validate_values(RefundBody, fields)
        await make_refund(bill, body, request.actor, NO_IDEMPOTENCY_KEY, check_at=clock.now())
    except ValidationFailed as refusal:
        errors = {f"refund.{field}": sentences for field, sentences in refusal.errors.items()}
        raise ValidationFailed(errors, extras=refusal.extras) from refusal
    due_checks.request_check()


async def list_refunds(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> RecordPage[Refund]:
    """List an order's refunds, newest first. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    newest = f"{SELECT_REFUNDS} ORDER BY id DESC LIMIT $3 OFFSET $4"
    rows = await sql.fetch(newest, order_id, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_REFUNDS, order_id, caller.owner_id))
    return page.of([await load_refund(row, bill.currency) for row in rows], total)


async def get_refund(caller: Caller, store_id: int, order_id: int, refund_id: int) -> Refund:
    """Return a refund. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    row = await sql.require_one(f"{SELECT_REFUNDS} AND id = $3", order_id, caller.owner_id, refund_id)
    return await load_refund(row, bill.currency)


async def _check_needs_no_staff(bill: Bill) -> None:
    """Raise ``Conflict`` unless everything that was paid can go back without anybody at the store."""
    payments = await sql.fetch(SELECT_REFUNDABLE_PAYMENTS, bill.id, bill.owner_id)
    if any(available_methods.needs_staff(row["method"]) for row in payments):
        raise Conflict(
            Sentence("The order was paid at the store. Ask there for a refund."), extras={"reason": "refund_by_staff"}
        )


async def make_refund(
    bill: Bill, body: RefundBody, actor: str, key: IdempotencyKey, check_at: datetime
) -> tuple[int, list[int]]:
    """Make a refund in the open transaction that locks the order, booking what needs no provider.

    Returns its id, and those of the parts that go through a provider, which are due at ``check_at``.
    """
    refund_id, provider_part_ids = await _insert_refund(bill, body, actor, key, check_at)
    await refund_settlement.complete_refund(bill, refund_id)
    await _record_in_payment_books(bill, refund_id, actor, body.drawer)
    return refund_id, provider_part_ids


async def _insert_refund(
    bill: Bill, body: RefundBody, actor: str, key: IdempotencyKey, check_at: datetime
) -> tuple[int, list[int]]:
    """Insert a refund and reserve its amount; return its id, and those of the parts that go through a provider."""
    if body.amount is not None and body.lines:
        raise ValidationFailed(amount=[Sentence("Only one of amount and lines may be given.")])
    payments = await sql.fetch(SELECT_REFUNDABLE_PAYMENTS, bill.id, bill.owner_id)
    largest = max(0, sum(row["refundable_minor"] for row in payments) - bill.non_refundable_minor)
    if largest == 0:
        raise Conflict(
            Sentence("There is nothing left to refund on this order."), extras={"reason": "nothing_to_refund"}
        )
    lines = await refund_lines.price_refund_lines(bill, body.lines) if body.lines else []
    amount = _get_amount_minor(bill, body, lines, largest)
    shares = _divide(amount, payments)
    other_method = await _choose_other_method(bill, body, [row for row, _ in shares])
    audit_columns = (actor, key.text, key.body_hash, clock.now())
    refund_id: int = await sql.fetch_value(
        INSERT_REFUND, bill.owner_id, bill.store_id, bill.id, amount, body.reason, *audit_columns, None
    )
    await refund_lines.insert_refund_lines(bill.owner_id, refund_id, lines)
    return refund_id, await _insert_parts(bill, refund_id, shares, other_method, check_at)


async def _choose_other_method(bill: Bill, body: RefundBody, payments: Sequence[sql.Row]) -> str | None:
    """Return the method that gets the shares of gift cards that cannot be credited, or None if there are none.

    Raises ``ValidationFailed`` with the ``methods`` that are possible, unless the body has one of them.
    """
    invalid = next((row for row in payments if not _takes_refund(row)), None)
    if invalid is None:
        return None
    methods = [payment_methods.CASH, payment_methods.CARD]
    methods += [payment_methods.STORE_CREDIT] if bill.customer_id is not None else []
    if body.method not in methods:
        status = gift_cards.get_status(invalid, clock.now())
        raise ValidationFailed(
            method=[f"The gift card ending in {invalid['code_last4']} is {status}. Refund it to another method."],
            extras={"reason": f"gift_card_{status}", "methods": methods},
        )
    if body.method == payment_methods.STORE_CREDIT:
        await store_credit.get_or_create_account_id(bill)
    return body.method


def _takes_refund(payment: sql.Row) -> bool:
    return payment["card_id"] is None or gift_cards.get_status(payment, clock.now()) is GiftCardStatus.ACTIVE


async def _record_in_payment_books(bill: Bill, refund_id: int, actor: str, drawer: str | None) -> None:
    """Record completed parts in the payment books, cash as the store rounds it.

    Cash that a driver still holds is deducted from the driver's cash instead, unless a drawer is given.
    """
    for part in await sql.fetch(SELECT_REFUND_PARTS, refund_id, bill.owner_id):
        if part["status"] == RefundStatus.COMPLETED:
            method, amount = part["method"], part["amount_minor"]
            if method == payment_methods.CASH:
                amount = balance.round_to_cash_step(amount, await order_balance.get_cash_rounding_minor(bill))
                is_from_driver = part["driver_id"] is not None and drawer is None
                refund = (bill, part["payment_id"], refund_id, amount, actor)
                if is_from_driver and await driver_cash.deduct_refund(*refund):
                    continue
            entry = (bill, part["payment_id"], refund_id, method, amount)
            await payment_books.record_refund(*entry, actor=actor, drawer=drawer)


def _get_amount_minor(bill: Bill, body: RefundBody, lines: Sequence[PricedRefundLine], largest: int) -> int:
    field, amount = "amount", largest
    if body.lines:
        field, amount = "lines", sum(line.amount_minor for line in lines)
    elif body.amount is not None:
        amount = money.parse_amount(body.amount, bill.currency, "amount")
    if amount <= 0:
        raise ValidationFailed({field: [Sentence("Must be more than 0.")]})
    if amount > largest:
        raise ValidationFailed(
            {
                field: [
                    Sentence(
                        "At most %(amount)s of this order can be refunded.",
                        amount=format_amount(largest, bill.currency),
                    )
                ]
            }
        )
    return amount


def _divide(amount_minor: int, payments: Sequence[sql.Row]) -> list[tuple[sql.Row, int]]:
    """Divide an amount among payments, the latest first; return those that get a share, with it."""
    shares: list[tuple[sql.Row, int]] = []
    for row in payments:
        share = min(amount_minor, row["refundable_minor"])
        if share == 0:
            break
        amount_minor -= share
        shares.append((row, share))
    return shares


async def _insert_parts(
    bill: Bill,
    refund_id: int,
    shares: Sequence[tuple[sql.Row, int]],
    other_method: str | None,
    check_at: datetime,
) -> list[int]:
    """Insert the parts of a refund; return the ids of those that go through a provider."""
    provider_part_ids: list[int] = []
    for row, share in shares:
        method = None if _takes_refund(row) else other_method
        is_immediate = available_methods.is_immediate(method or row["method"])
        status = RefundStatus.COMPLETED if is_immediate else RefundStatus.PENDING
        due_at = None if is_immediate else check_at
        part_id = await sql.fetch_value(
            INSERT_REFUND_PART, bill.owner_id, refund_id, row["id"], share, status.value, due_at, method
        )
        if not is_immediate:
            provider_part_ids.append(part_id)
    return provider_part_ids
