"""Taking money for orders: one tender or several, until nothing is left."""

from typing import Any

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import NO_IDEMPOTENCY_KEY, IdempotencyKey, IdempotentResult
from comanda.contracts.order_status import Status
from comanda.contracts.paging import PageRequest
from comanda.contracts.payments import PaymentMethod
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.orders import settlement
from comanda.orders.draft import MAX_TIP_UNITS
from comanda.orders.settlement import Bill

from comanda_payments import booking, books, credit, gift_cards, hosted, methods, tendering
from comanda_payments.amounts import minor, shown
from comanda_payments.models import PaymentStatus
from comanda_payments.records import PAYMENT_COLUMNS, payment_record
from comanda_payments.schemas import PaymentBody
from comanda_payments.tendering import Tender

INSERT = """
    INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, tip_minor, rounding_minor,
        tendered_minor, change_minor, reference, card_id, account_id, return_url, actor, idempotency_key, body_hash,
        created_at, finished_at, check_at, driver_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
    RETURNING id
"""
OF_ORDER = f"SELECT {PAYMENT_COLUMNS} FROM payments_payment p WHERE p.order_id = $1 AND p.owner_id = $2"
ONE = f"{OF_ORDER} AND p.id = $3"
REPEATED = f"{OF_ORDER} AND p.idempotency_key = $3"
WAITING = f"""
    SELECT id FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND actor = $3 AND status = '{PaymentStatus.PENDING}' ORDER BY id LIMIT 1
"""
COUNT = "SELECT count(*) FROM payments_payment WHERE order_id = $1 AND owner_id = $2"


async def pay(caller: Caller, store_id: int, order_id: int, body: PaymentBody, key: IdempotencyKey) -> IdempotentResult:
    """Take a payment for an order; a repeat of ``key`` gets the first one, whatever its body.

    Emits ``OrderPaid`` when the order is paid with it. What a provider collects is pending until the provider tells.
    Raises ``NotFound``; ``Conflict`` with a ``reason`` where nothing is left to pay; ``ValidationFailed``.
    """
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        earlier = await _earlier(bill, key)
        payment_id = earlier["id"] if earlier else await _take(caller, bill, body, key)
    if await hosted.is_unopened(caller.owner_id, payment_id):
        await hosted.open_page(caller.owner_id, payment_id)
    record = await _made(caller, store_id, order_id, payment_id)
    if earlier is None:
        return IdempotentResult(record)
    return IdempotentResult(record, is_replay=True, is_mismatch=earlier["body_hash"] != key.body_hash)


async def pay_online(caller: Caller, store_id: int, order_id: int, body: PaymentBody) -> tuple[int, bool]:
    """Return the online payment of this caller's that waits for them, or begin one, and tell whether it is new.

    However often somebody presses the button, there is one. Raises like ``pay``.
    """
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        waiting: int | None = await sql.fetch_value(WAITING, bill.id, bill.owner_id, caller.actor)
        if waiting is not None:
            return waiting, False
        return await _take(caller, bill, body, NO_IDEMPOTENCY_KEY), True


async def waiting(caller: Caller, order_id: int) -> int | None:
    """Return the online payment of this caller's that waits for them, if any."""
    payment_id: int | None = await sql.fetch_value(WAITING, order_id, caller.owner_id, caller.actor)
    return payment_id


async def page_of_payments(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List an order's payments, newest first. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    total = await sql.fetch_value(COUNT, order_id, caller.owner_id)
    newest = f"{OF_ORDER} ORDER BY p.id DESC LIMIT $3 OFFSET $4"
    rows = await sql.fetch(newest, order_id, caller.owner_id, page.size(), page.offset())
    return page.envelope([payment_record(row, bill.currency) for row in rows], total)


async def payment(caller: Caller, store_id: int, order_id: int, payment_id: int) -> dict[str, Any]:
    """Describe a payment. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    row = await sql.fetch_one(ONE, order_id, caller.owner_id, payment_id)
    if row is None:
        raise NotFound
    return payment_record(row, bill.currency)


async def cancel(caller: Caller, store_id: int, order_id: int, payment_id: int) -> dict[str, Any]:
    """Close the page of a payment that nobody has made yet, so that its amount can be paid in another way.

    Raises ``NotFound``; ``Conflict`` for a payment that is not pending, be it that it was made at this moment;
    ``Unavailable`` where the provider does not answer.
    """
    await payment(caller, store_id, order_id, payment_id)
    status = await hosted.close_page(caller.owner_id, payment_id)
    if status is not PaymentStatus.CANCELLED:
        raise Conflict(f"This payment is {status}.", extras={"reason": status.value})
    return await payment(caller, store_id, order_id, payment_id)


async def must_exist(caller: Caller, store_id: int, order_id: int) -> None:
    """Raise ``NotFound`` unless the store has this order."""
    await settlement.get_bill(caller, store_id, order_id)


async def _earlier(bill: Bill, key: IdempotencyKey) -> sql.Row | None:
    return await sql.fetch_one(REPEATED, bill.id, bill.owner_id, key.text) if key.text else None


async def _take(caller: Caller, bill: Bill, body: PaymentBody, key: IdempotencyKey) -> int:
    method = methods.find(body.method)
    left_minor = await _payable(bill)
    tender = await _tender(bill, method, body, left_minor)
    purse = await _spend(caller, bill, method, body, tender)
    moment = clock.now()
    is_done = method.provider is None
    payment_id: int = await sql.fetch_value(
        INSERT,
        *(caller.owner_id, bill.store_id, bill.id, method.code),
        PaymentStatus.SUCCEEDED.value if is_done else PaymentStatus.PENDING.value,
        *(tender.amount_minor, tender.tip_minor, tender.rounding_minor, tender.tendered_minor, tender.change_minor),
        *(body.reference or None, *purse, body.return_url, caller.actor, key.text, key.body_hash, moment),
        *((moment, None, None) if is_done else (None, moment + hosted.PATIENCE, None)),
    )
    if is_done:
        await booking.book(bill, caller.actor, tender.amount_minor)
        told = (bill, payment_id, method.code, tender.taken_minor)
        await books.note_taken(*told, actor=caller.actor, drawer=body.drawer)
    return payment_id


async def _payable(bill: Bill) -> int:
    if bill.was_paid:
        raise Conflict("This order has been paid.", extras={"reason": "already_paid"})
    if bill.status is Status.CANCELLED:
        raise Conflict("This order has been cancelled.", extras={"reason": "cancelled"})
    left_minor = await booking.left_of(bill)
    if left_minor == 0 < bill.left_minor:
        raise Conflict("What is left of this order is being paid online: cancel that first, or wait.",
                       extras={"reason": "pending"})  # fmt: skip
    return left_minor


async def _tender(bill: Bill, method: PaymentMethod, body: PaymentBody, left_minor: int) -> Tender:
    given = None if body.amount is None else minor(body.amount, bill.currency, "amount")
    tip = minor(body.tip, bill.currency, "tip")
    largest = max(
        bill.subtotal_minor * tendering.MAX_TIP_TIMES_SUBTOTAL, MAX_TIP_UNITS * 10 ** money.get_exponent(bill.currency)
    )
    if tip > largest:
        raise ValidationFailed(tip=[f"A tip may be at most {shown(largest, bill.currency)}."])
    if method.code == methods.CASH:
        return tendering.cash(left_minor, given, tip, await booking.cash_step(bill))
    tender = tendering.exact(left_minor, given, tip, bill.currency)
    if method.provider is not None and tender.taken_minor == 0:
        raise ValidationFailed(method=["There is nothing to collect."])
    return tender


async def _spend(
    caller: Caller, bill: Bill, method: PaymentMethod, body: PaymentBody, tender: Tender
) -> tuple[int | None, int | None]:
    """Take a tender from the gift card or the credit that it is made with, and return the ids of the two."""
    if method.code == methods.GIFT_CARD:
        if not body.code:
            raise ValidationFailed(code=["A gift card is spent by its code."])
        card = await gift_cards.spendable(bill.owner_id, bill.store_id, body.code, bill.currency)
        await gift_cards.spend(bill.owner_id, card, tender.taken_minor, caller.actor, bill.id)
        return card["id"], None
    if method.code == methods.CREDIT:
        of = (bill.owner_id, bill.store_id, bill.customer_id, bill.currency)
        return None, await credit.spend(*of, tender.taken_minor, caller.actor, bill.id)
    return None, None


async def _made(caller: Caller, store_id: int, order_id: int, payment_id: int) -> dict[str, Any]:
    bill = await settlement.get_bill(caller, store_id, order_id)
    record = await payment(caller, store_id, order_id, payment_id)
    left = money.to_number(await booking.left_of(bill), bill.currency)
    return {**record, "left": left, "payment_status": bill.payment_status}
