"""Payments of orders, with one tender or several."""

from comanda.basics import Conflict, Money, Sentence, ValidationFailed, clock, extend_record, money
from comanda.contracts import (
    NO_IDEMPOTENCY_KEY,
    Caller,
    IdempotencyKey,
    IdempotentResult,
    PageRequest,
    PaymentMethod,
    RecordPage,
    Status,
)
from comanda.orders import Bill, max_tip_minor, settlement
from comanda.platform.db import KeyedTable, sql

from comanda_payments import payment_methods
from comanda_payments.models import TenderStatus
from comanda_payments.records.payments import CreatedPayment, Payment
from comanda_payments.schemas import PaymentBody
from comanda_payments.services.accounts import fees
from comanda_payments.services.balances import gift_cards, store_credit
from comanda_payments.services.bills import available_methods, order_balance, payment_books, tenders
from comanda_payments.services.bills.amounts import format_amount
from comanda_payments.services.bills.payment_rows import PAYMENT_COLUMNS, to_payment
from comanda_payments.services.bills.tenders import Tender
from comanda_payments.services.providers import hosted_payments

INSERT_PAYMENT = """
    INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, tip_minor, rounding_minor,
        tendered_minor, change_minor, reference, card_id, account_id, return_url, actor, idempotency_key, body_hash,
        created_at, finished_at, check_at, driver_id, payment_account_id, fee_minor, reader)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
        $24)
    ON CONFLICT (owner_id, method, payment_account_id, reader)
        WHERE status = 'pending' AND reader IS NOT NULL DO NOTHING
    RETURNING id
"""
SELECT_PAYMENTS = f"SELECT {PAYMENT_COLUMNS} FROM payments_payment p WHERE p.order_id = $1 AND p.owner_id = $2"
SELECT_PAYMENT = f"{SELECT_PAYMENTS} AND p.id = $3"
SELECT_PENDING_PAYMENTS = f"""
    SELECT id, idempotency_key FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND actor = $3 AND status = '{TenderStatus.PENDING}' ORDER BY id LIMIT 20
"""
COUNT_PAYMENTS = "SELECT count(*) FROM payments_payment WHERE order_id = $1 AND owner_id = $2"

PAYMENT_KEYS = KeyedTable("payments_payment", "order_id")


async def create_payment(
    caller: Caller, store_id: int, order_id: int, body: PaymentBody, key: IdempotencyKey
) -> IdempotentResult[CreatedPayment]:
    """Create a payment of an order; a repeat of ``key`` returns the first one, whatever its body.

    Emits ``OrderPaid`` when the order becomes paid. A payment through a provider is pending until the provider confirms
    it. Raises ``NotFound``; ``Conflict`` with a ``reason`` if nothing can be paid; ``ValidationFailed``.
    """
    await settlement.get_bill(caller, store_id, order_id)

    async def create() -> int:
        async with sql.transaction():
            bill = await settlement.lock_bill(caller, store_id, order_id)
            return await _insert_payment(caller, bill, body, key)

    async def load(payment_id: int) -> CreatedPayment:
        if await hosted_payments.needs_page(caller.owner_id, payment_id):
            await hosted_payments.open_page(caller.owner_id, payment_id)
        return await _get_created_payment(caller, store_id, order_id, payment_id)

    return await PAYMENT_KEYS.create_once(caller.owner_id, order_id, key, create, load)


async def get_or_create_online_payment(
    caller: Caller, store_id: int, order_id: int, body: PaymentBody
) -> tuple[int, bool]:
    """Return the caller's pending online payment, or create one of what is left, and whether it is new.

    Pressing the button repeatedly creates one payment. Raises like ``create_payment``.
    """
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        pending_id: int | None = await sql.fetch_value(SELECT_PENDING_PAYMENTS, bill.id, bill.owner_id, caller.actor)
        if pending_id is not None and await order_balance.get_payable_minor(bill) == 0:
            return pending_id, False
        return await _insert_payment(caller, bill, body, NO_IDEMPOTENCY_KEY), True


async def list_pending_payments(caller: Caller, order_id: int) -> dict[int, str | None]:
    """Return the ids of the caller's pending online payments of an order with their keys, oldest first, at most 20."""
    rows = await sql.fetch(SELECT_PENDING_PAYMENTS, order_id, caller.owner_id, caller.actor)
    return {row["id"]: row["idempotency_key"] for row in rows}


async def list_payments(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> RecordPage[Payment]:
    """List an order's payments, newest first. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    newest = f"{SELECT_PAYMENTS} ORDER BY p.id DESC LIMIT $3 OFFSET $4"
    rows = await sql.fetch(newest, order_id, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_PAYMENTS, order_id, caller.owner_id))
    return page.of([to_payment(row, bill.currency) for row in rows], total)


async def get_payment(caller: Caller, store_id: int, order_id: int, payment_id: int) -> Payment:
    """Return a payment. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    row = await sql.require_one(SELECT_PAYMENT, order_id, caller.owner_id, payment_id)
    return to_payment(row, bill.currency)


async def cancel_payment(caller: Caller, store_id: int, order_id: int, payment_id: int) -> Payment:
    """Cancel a pending payment and close its page, so that its amount can be paid in another way.

    Raises ``NotFound``; ``Conflict`` if the payment is not pending, or succeeds meanwhile; ``Unavailable`` if the
    provider does not respond.
    """
    await get_payment(caller, store_id, order_id, payment_id)
    status = await hosted_payments.close_page(caller.owner_id, payment_id)
    if status is not TenderStatus.CANCELLED:
        raise Conflict(f"This payment is {status}.", extras={"reason": status.value})
    return await get_payment(caller, store_id, order_id, payment_id)


async def check_payment(caller: Caller, store_id: int, order_id: int, payment_id: int) -> Payment:
    """Check a pending payment at its provider, and return it. Raises ``NotFound``."""
    payment = await get_payment(caller, store_id, order_id, payment_id)
    if payment.status is not TenderStatus.PENDING:
        return payment
    await hosted_payments.check_payment(caller.owner_id, payment_id)
    return await get_payment(caller, store_id, order_id, payment_id)


async def check_order_exists(caller: Caller, store_id: int, order_id: int) -> None:
    """Raise ``NotFound`` unless the store has this order."""
    await settlement.get_bill(caller, store_id, order_id)


async def _insert_payment(caller: Caller, bill: Bill, body: PaymentBody, key: IdempotencyKey) -> int:
    method, account = await available_methods.get_available_method(
        bill.owner_id, bill.store_id, body.method, is_in_person=body.reader is not None
    )
    amount_due_minor = await _check_payable(bill)
    tender = await _create_tender(bill, method, body, amount_due_minor)
    stored_value_ids = await _charge_stored_value(caller, bill, method, body, tender)
    moment = clock.now()
    is_immediate = account is None
    fee_minor = 0
    if account is not None:
        charged = (bill.store_id, tender.collected_minor, bill.currency)
        fee_minor = await fees.calculate_fee_minor(account, *charged)
    payment_id: int | None = await sql.fetch_value(
        INSERT_PAYMENT,
        *(caller.owner_id, bill.store_id, bill.id, method.code),
        TenderStatus.SUCCEEDED.value if is_immediate else TenderStatus.PENDING.value,
        *(tender.amount_minor, tender.tip_minor, tender.rounding_minor, tender.tendered_minor, tender.change_minor),
        *(body.reference or None, *stored_value_ids, body.return_url, caller.actor, key.text, key.body_hash, moment),
        *((moment, None, None) if is_immediate else (None, moment + hosted_payments.CHECK_DELAY, None)),
        *(None if account is None else account.id, fee_minor, body.reader),
    )
    if payment_id is None:
        raise Conflict(Sentence("This card reader is taking another payment."), extras={"reason": "reader_busy"})
    if is_immediate:
        await order_balance.apply_payment(bill, caller.actor, tender.amount_minor, rounding_minor=tender.rounding_minor)
        entry = (bill, payment_id, method.code, tender.collected_minor)
        await payment_books.record_payment(*entry, actor=caller.actor, drawer=body.drawer)
    return payment_id


async def _check_payable(bill: Bill) -> int:
    if bill.is_paid:
        raise Conflict(Sentence("This order is already paid."), extras={"reason": "already_paid"})
    if bill.status is Status.CANCELLED:
        raise Conflict(Sentence("This order is cancelled."), extras={"reason": "cancelled"})
    amount_due_minor = await order_balance.get_payable_minor(bill)
    if amount_due_minor == 0 < bill.amount_due_minor:
        raise Conflict(Sentence("The amount due is being paid online. Cancel that payment first, or wait."),
                       extras={"reason": "pending"})  # fmt: skip
    return amount_due_minor


async def _create_tender(bill: Bill, method: PaymentMethod, body: PaymentBody, amount_due_minor: int) -> Tender:
    given = None if body.amount is None else money.parse_amount(body.amount, bill.currency, "amount")
    tip = money.parse_amount(body.tip, bill.currency, "tip")
    max_tip = max_tip_minor(bill.subtotal_minor, bill.currency)
    if tip > max_tip:
        raise ValidationFailed(
            tip=[Sentence("Must be at most %(amount)s.", amount=format_amount(max_tip, bill.currency))]
        )
    if method.code == payment_methods.CASH:
        return tenders.create_cash_tender(
            amount_due_minor, given, tip, await order_balance.get_cash_rounding_minor(bill)
        )
    tender = tenders.create_exact_tender(amount_due_minor, given, tip, bill.currency)
    if method.provider is not None and tender.collected_minor == 0:
        raise ValidationFailed(method=[Sentence("There is nothing to collect.")])
    return tender


async def _charge_stored_value(
    caller: Caller, bill: Bill, method: PaymentMethod, body: PaymentBody, tender: Tender
) -> tuple[int | None, int | None]:
    """Charge a tender to its gift card or store credit account, and return the ids of the two."""
    if method.code == payment_methods.GIFT_CARD:
        if not body.code:
            raise ValidationFailed(code=[Sentence("This field is required for gift cards.")])
        card = await gift_cards.get_spendable_gift_card(bill.owner_id, bill.store_id, body.code, bill.currency)
        await gift_cards.spend_gift_card(bill.owner_id, card, tender.collected_minor, caller.actor, bill.id)
        return card["id"], None
    if method.code == payment_methods.STORE_CREDIT:
        account = (bill.owner_id, bill.store_id, bill.customer_id, bill.currency)
        return None, await store_credit.spend_credit(*account, tender.collected_minor, caller.actor, bill.id)
    return None, None


async def _get_created_payment(caller: Caller, store_id: int, order_id: int, payment_id: int) -> CreatedPayment:
    bill = await settlement.get_bill(caller, store_id, order_id)
    payment = await get_payment(caller, store_id, order_id, payment_id)
    left = Money(await order_balance.get_payable_minor(bill), bill.currency)
    return extend_record(CreatedPayment, payment, left=left, payment_status=bill.payment_status)
