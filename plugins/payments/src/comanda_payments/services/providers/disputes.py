"""Disputes (chargebacks) of payments: reported by webhooks, checked with accounts, each state recorded once."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import Money, clock, money
from comanda.contracts import Caller, DisputeReport, DisputeState, PageRequest, PaymentAccount, RecordPage
from comanda.orders import Bill
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.events import PaymentDisputeChanged
from comanda_payments.models import TenderStatus
from comanda_payments.records.disputes import OwnDispute
from comanda_payments.services.prepaid.prepayment_rows import Prepayment
from comanda_payments.services.providers import hosted_payments, provider_calls
from comanda_payments.services.refunding import refund_settlement

log = structlog.get_logger(__name__)

# Card schemes end a dispute within this time.
LIFETIME: Final = timedelta(days=180)
MAX_REASON_LENGTH: Final = 500
MAX_URL_LENGTH: Final = 2048

SELECT_PAYMENTS_BY_CHARGE: Final = f"""
    SELECT id, owner_id, store_id, order_id, prepayment_id, payment_account_id FROM payments_payment
    WHERE charge_reference = $1 AND method = $2 AND status = '{TenderStatus.SUCCEEDED}'
"""
SELECT_PAYMENT: Final = "SELECT id, order_id FROM payments_payment WHERE id = $1 AND owner_id = $2"
SELECT_STATE: Final = """
    SELECT id, state FROM payments_dispute WHERE payment_id = $1 AND owner_id = $2 AND reference = $3
"""
UPSERT_DISPUTE: Final = """
    INSERT INTO payments_dispute
        (payment_id, owner_id, reference, state, amount_minor, reason, respond_by, url, closed_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (payment_id, owner_id, reference) DO UPDATE SET state = excluded.state,
        amount_minor = excluded.amount_minor, reason = excluded.reason, respond_by = excluded.respond_by,
        url = excluded.url, closed_at = excluded.closed_at
    RETURNING id
"""
SELECT_DISPUTES: Final = """
    SELECT d.id, d.payment_id, p.order_id, p.prepayment_id, p.store_id, p.method, d.state, d.amount_minor,
        coalesce(o.currency, q.currency) AS currency, d.reason, d.respond_by, d.url, d.refund_id, d.created_at,
        d.closed_at
    FROM payments_dispute d JOIN payments_payment p ON p.id = d.payment_id AND p.owner_id = d.owner_id
    LEFT JOIN core_order_v1 o ON o.id = p.order_id AND o.owner_id = p.owner_id
    LEFT JOIN payments_prepayment q ON q.id = p.prepayment_id AND q.owner_id = p.owner_id
    WHERE d.owner_id = $1 ORDER BY d.id DESC LIMIT $2 OFFSET $3
"""
COUNT_DISPUTES: Final = "SELECT count(*) FROM payments_dispute WHERE owner_id = $1"


async def list_disputes(caller: Caller, page: PageRequest) -> RecordPage[OwnDispute]:
    """List the disputes of the caller's payments, newest first."""
    rows = await sql.fetch(SELECT_DISPUTES, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_DISPUTES, caller.owner_id))
    return page.of([_to_dispute(row) for row in rows], total)


async def find_payments(provider: str, charge: object) -> Sequence[sql.Row]:
    """Return the payments whose money a provider knows by a reference: those of whoever sends it must be chosen."""
    return await sql.fetch(SELECT_PAYMENTS_BY_CHARGE, charge, provider) if isinstance(charge, str) else []


async def check_disputes(account: PaymentAccount) -> None:
    """Record the disputes that the provider has of an account; on any failure the next check does."""
    calls = provider_calls.open_calls(account)
    if calls is None:
        return
    try:
        reports = await calls.list_disputes(clock.now() - LIFETIME)
    except Exception as error:  # the task tries again
        log.warning("disputes_not_checked", account_id=account.id, error=repr(error))
        return
    for report in reports:
        for payment in await find_payments(account.provider, report.payment):
            if (payment["owner_id"], payment["payment_account_id"]) == (account.owner_id, account.id):
                await record_dispute(payment, report)


async def record_dispute(payment: sql.Row, report: DisputeReport) -> None:
    """Record a state of a dispute once; a closed one stays as it is.

    A lost one is refunded as of now. Emits ``PaymentDisputeChanged``, and ``RefundCompleted`` with a refund.
    """
    owner_id = payment["owner_id"]
    async with sql.transaction():
        debt = await hosted_payments.lock_debt(payment)
        row = await sql.one(SELECT_PAYMENT, payment["id"], owner_id)
        if row["order_id"] != payment["order_id"]:
            return  # merged into another order or applied to one meanwhile; the next check records it
        known = await sql.fetch_one(SELECT_STATE, row["id"], owner_id, report.reference)
        if known is not None and DisputeState(known["state"]).is_final:
            return
        reason = report.reason[:MAX_REASON_LENGTH] if report.reason else None
        url = report.url if report.url and len(report.url) <= MAX_URL_LENGTH else None
        now = clock.now()
        dispute_id = await sql.fetch_value(
            UPSERT_DISPUTE, row["id"], owner_id, report.reference, report.state.value, report.amount_minor, reason,
            report.respond_by, url, now if report.state.is_final else None, now,
        )  # fmt: skip
        if known is None or known["state"] != report.state:
            event = _create_event(debt, dispute_id, payment, report, reason)
            await publish(event, owner_id=owner_id, store_id=debt.store_id)
        if report.state is DisputeState.LOST:
            await refund_settlement.refund_losses(debt, row["id"])


def _create_event(
    debt: Bill | Prepayment, dispute_id: int, payment: sql.Row, report: DisputeReport, reason: str | None
) -> PaymentDisputeChanged:
    return PaymentDisputeChanged(
        dispute_id=dispute_id,
        payment_id=payment["id"],
        order_id=payment["order_id"],
        prepayment_id=payment["prepayment_id"],
        restaurant_id=debt.store_id,
        state=report.state.value,
        amount=money.to_decimal_string(report.amount_minor, debt.currency),
        currency=debt.currency,
        reason=reason,
        respond_by=report.respond_by,
    )


def _to_dispute(row: sql.Row) -> OwnDispute:
    return sql.to_record(
        OwnDispute, row, state=DisputeState(row["state"]), amount=Money(row["amount_minor"], row["currency"])
    )
