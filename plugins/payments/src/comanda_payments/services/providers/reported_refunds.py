"""Refunds that were made at a provider: reported by webhooks, checked with accounts, each booked once."""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import clock
from comanda.contracts import PaymentAccount, RefundReport
from comanda.platform.db import sql

from comanda_payments.models import RefundStatus
from comanda_payments.services.providers import disputes, hosted_payments, provider_calls
from comanda_payments.services.refunding import refund_settlement

log = structlog.get_logger(__name__)

# A refund reaches its payer within this time.
LIFETIME: Final = timedelta(days=30)

SELECT_PAYMENT: Final = f"""
    SELECT p.id, p.order_id, p.amount_minor - p.refunded_minor AS left_minor,
        EXISTS (SELECT FROM payments_refund_part r WHERE r.payment_id = p.id AND r.owner_id = p.owner_id
            AND r.gateway_reference = $3) AS is_known,
        EXISTS (SELECT FROM payments_refund_part r WHERE r.payment_id = p.id AND r.owner_id = p.owner_id
            AND r.status = '{RefundStatus.PENDING}') AS has_pending
    FROM payments_payment p WHERE p.id = $1 AND p.owner_id = $2
"""


async def check_refunds(account: PaymentAccount) -> None:
    """Record the refunds that were made at the provider of an account; on any failure the next check does."""
    calls = provider_calls.open_calls(account)
    if calls is None:
        return
    try:
        reports = await calls.list_refunds(clock.now() - LIFETIME)
    except Exception as error:  # the task tries again
        log.warning("refunds_not_checked", account_id=account.id, error=repr(error))
        return
    for report in reports:
        for payment in await disputes.find_payments(account.provider, report.payment):
            if (payment["owner_id"], payment["payment_account_id"]) == (account.owner_id, account.id):
                await record_refund(payment, report)


async def record_refund(payment: sql.Row, report: RefundReport) -> None:
    """Book a refund once, at most what is left of the payment: of a tip, nothing is given back here.

    Emits ``RefundCompleted``. While a refund of the payment is pending that may fail in favour of this one, the next
    check decides.
    """
    owner_id = payment["owner_id"]
    async with sql.transaction():
        debt = await hosted_payments.lock_debt(payment)
        row = await sql.one(SELECT_PAYMENT, payment["id"], owner_id, report.reference)
        if row["order_id"] != payment["order_id"] or row["is_known"]:
            return  # merged into another order or applied to one meanwhile, or booked before
        left_minor = row["left_minor"]
        if left_minor == 0 or (report.amount_minor > left_minor and row["has_pending"]):
            return
        amount, reason = min(report.amount_minor, left_minor), report.reason or "Refunded at the provider"
        await refund_settlement.book_made_refund(debt, row["id"], amount, reason, report.reference)
