"""Rows of payments and refunds, and the records made of them."""

from comanda.basics import Money
from comanda.platform.db import sql

from comanda_payments.models import RefundStatus, TenderStatus
from comanda_payments.records.payments import Payment, Refund, RefundedLine, RefundedPayment

PAYMENT_COLUMNS = """p.id, p.owner_id, p.store_id, p.order_id, p.prepayment_id, p.method, p.status, p.amount_minor,
    p.tip_minor, p.rounding_minor, p.tendered_minor, p.change_minor, p.refunded_minor, p.reference, p.card_id,
    p.account_id, p.gateway_reference, p.charge_reference, p.redirect_url, p.return_url, p.instructions, p.failure,
    p.expires_at, p.check_at, p.driver_id, p.payment_account_id, p.fee_minor, p.reader, p.body_hash, p.created_at,
    p.finished_at"""

SELECT_REFUND_LINES = """
    SELECT line_id, quantity, amount_minor, is_restocked FROM payments_refund_line
    WHERE refund_id = $1 AND owner_id = $2 ORDER BY id
"""
SELECT_REFUND_PARTS = """
    SELECT r.id, r.payment_id, r.amount_minor, r.status, r.failure, r.gateway_reference,
        coalesce(r.method, p.method) AS method, CASE WHEN r.method IS NULL THEN p.card_id END AS card_id,
        p.account_id, p.charge_reference, p.driver_id
    FROM payments_refund_part r JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
    WHERE r.refund_id = $1 AND r.owner_id = $2 ORDER BY r.id
"""
INSERT_REFUND = f"""
    INSERT INTO payments_refund
        (owner_id, store_id, order_id, status, amount_minor, reason, actor, idempotency_key, body_hash, created_at,
        prepayment_id)
    VALUES ($1, $2, $3, '{RefundStatus.PENDING}', $4, $5, $6, $7, $8, $9, $10) RETURNING id
"""
INSERT_REFUND_PART = """
    WITH part AS (
        INSERT INTO payments_refund_part (owner_id, refund_id, payment_id, amount_minor, status, check_at, method)
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id),
    payment AS (
        UPDATE payments_payment SET refunded_minor = refunded_minor + $4 WHERE id = $3 AND owner_id = $1)
    SELECT id FROM part
"""


def to_payment(row: sql.Row, currency: str) -> Payment:
    """Return the payment of a row with ``PAYMENT_COLUMNS``."""
    status = TenderStatus(row["status"])
    return sql.to_record(
        Payment,
        row,
        status=status,
        currency=currency,
        amount=Money(row["amount_minor"], currency),
        tip=Money(row["tip_minor"], currency),
        rounding=Money(row["rounding_minor"], currency),
        tendered=None if row["tendered_minor"] is None else Money(row["tendered_minor"], currency),
        change=Money(row["change_minor"], currency),
        refunded=Money(row["refunded_minor"], currency),
        gift_card_id=row["card_id"],
        fee=Money(row["fee_minor"], currency),
        redirect_url=row["redirect_url"] if status is TenderStatus.PENDING else None,
    )


async def load_refund(row: sql.Row, currency: str) -> Refund:
    """Return the refund of a row, with its lines and parts."""
    lines = await sql.fetch(SELECT_REFUND_LINES, row["id"], row["owner_id"])
    parts = await sql.fetch(SELECT_REFUND_PARTS, row["id"], row["owner_id"])
    return sql.to_record(
        Refund,
        row,
        status=RefundStatus(row["status"]),
        amount=Money(row["amount_minor"], currency),
        currency=currency,
        lines=[_to_line(line, currency) for line in lines],
        parts=[_to_part(part, currency) for part in parts],
    )


def _to_line(row: sql.Row, currency: str) -> RefundedLine:
    return RefundedLine(row["line_id"], row["quantity"], Money(row["amount_minor"], currency), row["is_restocked"])


def _to_part(row: sql.Row, currency: str) -> RefundedPayment:
    amount = Money(row["amount_minor"], currency)
    return RefundedPayment(row["payment_id"], row["method"], amount, RefundStatus(row["status"]), row["failure"])
