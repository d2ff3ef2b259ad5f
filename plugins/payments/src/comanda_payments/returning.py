"""The parts of refunds that providers do, and what a refund brings about once all of its parts are done."""

import structlog
from comanda import clock, money
from comanda.contracts.payments import PaymentDeclined, ProviderOutcome, ProviderState
from comanda.db import sql
from comanda.events.outbox import publish
from comanda.orders import settlement
from comanda.orders.settlement import Bill

from comanda_payments import ledgers, methods, refund_lines
from comanda_payments.events import RefundCompleted
from comanda_payments.hosted import MAX_FAILURE
from comanda_payments.ledgers import CARDS, CREDIT
from comanda_payments.models import EntryKind, RefundStatus
from comanda_payments.records import LINES, PARTS

log = structlog.get_logger(__name__)

PART = """
    SELECT r.id, r.owner_id, r.refund_id, r.payment_id, r.amount_minor, r.status, r.gateway_reference, p.method,
        p.charge_reference, p.store_id, p.order_id, o.currency
    FROM payments_refund_part r JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
    JOIN core_order o ON o.id = p.order_id AND o.owner_id = p.owner_id
    WHERE r.id = $1 AND r.owner_id = $2
"""
ACCEPTED = "UPDATE payments_refund_part SET gateway_reference = $3 WHERE id = $1 AND owner_id = $2"
CONCLUDE = """
    UPDATE payments_refund_part SET status = $3, failure = $4, check_at = NULL WHERE id = $1 AND owner_id = $2
"""
RELEASE = "UPDATE payments_payment SET refunded_minor = refunded_minor - $3 WHERE id = $1 AND owner_id = $2"
REFUND = "SELECT id, reason, actor FROM payments_refund WHERE id = $1 AND owner_id = $2"
# A refund whose every part failed was for nothing, and says what it was meant to be.
FINISH = """
    UPDATE payments_refund SET status = $3, amount_minor = coalesce($4, amount_minor), completed_at = $5
    WHERE id = $1 AND owner_id = $2
"""
# Asked often while it is young, and ever more seldom, up to once an hour. One process of all asks.
DUE = f"""
    UPDATE payments_refund_part r
    SET check_at = $1::timestamptz + least(greatest(($1 - f.created_at) / 4, interval '1 minute'), interval '1 hour')
    FROM payments_refund f
    WHERE f.id = r.refund_id AND f.owner_id = r.owner_id AND (r.id, r.owner_id) IN (
        SELECT id, owner_id FROM payments_refund_part
        WHERE check_at <= $1 AND status = '{RefundStatus.PENDING}' ORDER BY check_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING r.id, r.owner_id
"""


async def ask_due() -> None:
    """Ask about every part that has been pending for long enough."""
    for row in await sql.fetch(DUE, clock.now()):
        await ask(row["owner_id"], row["id"])


async def ask(owner_id: int, part_id: int) -> None:
    """Let the provider give a part back, or ask what became of that, and conclude the part if it is over."""
    row = await sql.fetch_one(PART, part_id, owner_id)
    if row is None or row["status"] != RefundStatus.PENDING:
        return
    try:
        outcome = await _outcome(row)
    except PaymentDeclined as refusal:
        outcome = ProviderOutcome(ProviderState.FAILED, failure=str(refusal))
    except Exception as error:  # whatever it was, the task asks again
        log.warning("refund_not_made", part_id=part_id, error=repr(error))
        return
    await _conclude(row, outcome)


async def finish(bill: Bill, refund_id: int) -> None:
    """Book a refund once none of its parts is pending, in the open transaction, in which the order is locked.

    What was spent of gift cards and credit goes back to their ledgers, and what is to be restocked into stock. Emits
    ``RefundCompleted`` unless every part failed.
    """
    parts = await sql.fetch(PARTS, refund_id, bill.owner_id)
    if any(part["status"] == RefundStatus.PENDING for part in parts):
        return
    done = [part for part in parts if part["status"] == RefundStatus.COMPLETED]
    amount = sum(part["amount_minor"] for part in done)
    refund = await sql.fetch_one(REFUND, refund_id, bill.owner_id)
    assert refund is not None  # noqa: S101 - refunds are never deleted
    if not done:
        await sql.execute(FINISH, refund_id, bill.owner_id, RefundStatus.FAILED.value, None, None)
        return
    await _return_to_ledgers(bill, done, refund["actor"])
    await refund_lines.restock(bill, refund_id)
    await sql.execute(FINISH, refund_id, bill.owner_id, RefundStatus.COMPLETED.value, amount, clock.now())
    await settlement.settle(bill, refund["actor"], refunded_minor=amount)
    event = await _completed(bill, refund, amount)
    await publish(event, owner_id=bill.owner_id, store_id=bill.store_id)


async def _outcome(row: sql.Row) -> ProviderOutcome:
    provider = methods.provider_of(row["method"])
    if provider is None:
        return ProviderOutcome(ProviderState.PENDING)
    if row["gateway_reference"] is not None:
        return await provider.check_refund(row["gateway_reference"])
    if row["charge_reference"] is None:
        raise PaymentDeclined("The gateway did not say which charge this was, so it cannot be refunded there.")
    key = f"refund-{row['owner_id']}-{row['id']}"
    outcome = await provider.refund(key, row["charge_reference"], row["amount_minor"], row["currency"])
    await sql.execute(ACCEPTED, row["id"], row["owner_id"], outcome.reference)
    return outcome


async def _conclude(part: sql.Row, outcome: ProviderOutcome) -> None:
    if outcome.state is ProviderState.PENDING:
        return
    owner_id, part_id = part["owner_id"], part["id"]
    has_failed = outcome.state is ProviderState.FAILED
    async with sql.transaction():
        bill = await settlement.lock_bill_of(owner_id, part["store_id"], part["order_id"])
        row = await sql.fetch_one(PART, part_id, owner_id)
        if row is None or row["status"] != RefundStatus.PENDING:
            return
        status = RefundStatus.FAILED if has_failed else RefundStatus.COMPLETED
        failure = (outcome.failure or "")[:MAX_FAILURE] if has_failed else None
        await sql.execute(CONCLUDE, part_id, owner_id, status.value, failure)
        if has_failed:
            await sql.execute(RELEASE, row["payment_id"], owner_id, row["amount_minor"])
        await finish(bill, row["refund_id"])


async def _return_to_ledgers(bill: Bill, parts: list[sql.Row], actor: str) -> None:
    # Two refunds of different orders may touch the same cards: each locks them in the order of their ids.
    for ledger, column in ((CARDS, "card_id"), (CREDIT, "account_id")):
        for part in sorted((part for part in parts if part[column] is not None), key=lambda part: int(part[column])):
            back = (part[column], part["amount_minor"], EntryKind.REFUND, actor)
            await ledgers.move(ledger, bill.owner_id, *back, order_id=bill.id)


async def _completed(bill: Bill, refund: sql.Row, amount_minor: int) -> RefundCompleted:
    lines = [
        {
            "line_id": row["line_id"],
            "quantity": row["quantity"],
            "amount": money.to_decimal_string(row["amount_minor"], bill.currency),
            "restock": row["is_restocked"],
        }
        for row in await sql.fetch(LINES, refund["id"], bill.owner_id)
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
