"""Giving money back: to the tender that it came from, the last one first."""

from collections.abc import Sequence
from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.orders import balance, settlement
from comanda.orders.settlement import Bill

from comanda_payments import booking, books, driver_cash, hosted, methods, refund_lines, returning
from comanda_payments.amounts import minor, shown
from comanda_payments.models import PaymentStatus, RefundStatus
from comanda_payments.records import PARTS, refund_record
from comanda_payments.refund_lines import Chosen
from comanda_payments.schemas import RefundBody

COLUMNS = "id, owner_id, store_id, order_id, status, amount_minor, reason, body_hash, created_at, completed_at"
OF_ORDER = f"SELECT {COLUMNS} FROM payments_refund WHERE order_id = $1 AND owner_id = $2"
COUNT = "SELECT count(*) FROM payments_refund WHERE order_id = $1 AND owner_id = $2"
INSERT = f"""
    INSERT INTO payments_refund
        (owner_id, store_id, order_id, status, amount_minor, reason, actor, idempotency_key, body_hash, created_at)
    VALUES ($1, $2, $3, '{RefundStatus.PENDING}', $4, $5, $6, $7, $8, $9) RETURNING id
"""
REFUNDABLE = f"""
    SELECT id, method, amount_minor - refunded_minor AS left_minor, charge_reference FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{PaymentStatus.SUCCEEDED}' AND amount_minor > refunded_minor
    ORDER BY finished_at DESC, id DESC
"""
RESERVE = """
    WITH part AS (
        INSERT INTO payments_refund_part (owner_id, refund_id, payment_id, amount_minor, status, check_at)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id),
    payment AS (
        UPDATE payments_payment SET refunded_minor = refunded_minor + $4 WHERE id = $3 AND owner_id = $1)
    SELECT id FROM part
"""


async def refund(
    caller: Caller, store_id: int, order_id: int, body: RefundBody, key: IdempotencyKey
) -> IdempotentResult:
    """Give money of an order back, at most what was paid and has not gone back; a repeat of ``key`` gets the first.

    Emits ``RefundCompleted`` when all of it has gone back, which a gateway may take its time for. Raises ``NotFound``;
    ``Conflict`` where there is nothing to give back; ``ValidationFailed`` for more than can be.
    """
    asked: list[int] = []
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        earlier = await _earlier(bill, key)
        if earlier is None:
            refund_id = await _begin(caller, bill, body, key, asked)
            await returning.finish(bill, refund_id)
            await _note(caller, bill, refund_id, body.drawer)
        else:
            refund_id = earlier["id"]
    for part_id in asked:
        await returning.ask(caller.owner_id, part_id)
    record = await one(caller, store_id, order_id, refund_id)
    if earlier is None:
        return IdempotentResult(record)
    return IdempotentResult(record, is_replay=True, is_mismatch=earlier["body_hash"] != key.body_hash)


async def page_of_refunds(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List an order's refunds, newest first. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    total = await sql.fetch_value(COUNT, order_id, caller.owner_id)
    newest = f"{OF_ORDER} ORDER BY id DESC LIMIT $3 OFFSET $4"
    rows = await sql.fetch(newest, order_id, caller.owner_id, page.size(), page.offset())
    return page.envelope([await refund_record(row, bill.currency) for row in rows], total)


async def one(caller: Caller, store_id: int, order_id: int, refund_id: int) -> dict[str, Any]:
    """Describe a refund. Raises ``NotFound``."""
    bill = await settlement.get_bill(caller, store_id, order_id)
    row = await sql.fetch_one(f"{OF_ORDER} AND id = $3", order_id, caller.owner_id, refund_id)
    if row is None:
        raise NotFound
    return await refund_record(row, bill.currency)


async def _earlier(bill: Bill, key: IdempotencyKey) -> sql.Row | None:
    if key.text is None:
        return None
    return await sql.fetch_one(f"{OF_ORDER} AND idempotency_key = $3", bill.id, bill.owner_id, key.text)


async def _begin(caller: Caller, bill: Bill, body: RefundBody, key: IdempotencyKey, asked: list[int]) -> int:
    """Write a refund down, and set its amount aside; the parts that providers have to do are added to ``asked``."""
    if body.amount is not None and body.lines:
        raise ValidationFailed(amount=["Give either an amount or lines."])
    payments = await sql.fetch(REFUNDABLE, bill.id, bill.owner_id)
    largest = sum(row["left_minor"] for row in payments)
    if largest == 0:
        raise Conflict("Nothing of this order can be given back.", extras={"reason": "nothing_to_refund"})
    lines = await refund_lines.choose(bill, body.lines) if body.lines else []
    amount = _amount(bill, body, lines, largest)
    who = (caller.actor, key.text, key.body_hash, clock.now())
    refund_id: int = await sql.fetch_value(INSERT, caller.owner_id, bill.store_id, bill.id, amount, body.reason, *who)
    await refund_lines.write(caller.owner_id, refund_id, lines)
    asked += await _share(bill, refund_id, amount, payments)
    return refund_id


async def _note(caller: Caller, bill: Bill, refund_id: int, drawer: str | None) -> None:
    """Tell the books what is handed over with a refund, cash as the store rounds it.

    Cash comes from the driver who still holds it, unless a drawer is named; then no book hears of it.
    """
    for part in await sql.fetch(PARTS, refund_id, bill.owner_id):
        if part["status"] == RefundStatus.COMPLETED:
            method, amount = part["method"], part["amount_minor"]
            if method == methods.CASH:
                amount = balance.round_to_cash_step(amount, await booking.cash_step(bill))
                held = part["driver_id"] is not None and drawer is None
                of = (bill, part["payment_id"], refund_id, amount, caller.actor)
                if held and await driver_cash.take_refund(*of):
                    continue
            told = (bill, part["payment_id"], refund_id, method, amount)
            await books.note_returned(*told, actor=caller.actor, drawer=drawer)


def _amount(bill: Bill, body: RefundBody, lines: Sequence[Chosen], largest: int) -> int:
    field, amount = "amount", largest
    if body.lines:
        field, amount = "lines", sum(line.amount_minor for line in lines)
    elif body.amount is not None:
        amount = minor(body.amount, bill.currency, "amount")
    if amount <= 0:
        raise ValidationFailed({field: ["There must be something to give back."]})
    if amount > largest:
        raise ValidationFailed({field: [f"At most {shown(largest, bill.currency)} of this order can be given back."]})
    return amount


async def _share(bill: Bill, refund_id: int, amount_minor: int, payments: Sequence[sql.Row]) -> list[int]:
    """Take a refund from the payments, the last one first, and return the parts that a provider has to do."""
    asked: list[int] = []
    for row in payments:
        share = min(amount_minor, row["left_minor"])
        if share == 0:
            break
        amount_minor -= share
        is_booked = methods.is_booked(row["method"])
        status = RefundStatus.COMPLETED if is_booked else RefundStatus.PENDING
        check_at = None if is_booked else clock.now() + hosted.PATIENCE
        part_id = await sql.fetch_value(RESERVE, bill.owner_id, refund_id, row["id"], share, status.value, check_at)
        if not is_booked:
            asked.append(part_id)
    return asked
