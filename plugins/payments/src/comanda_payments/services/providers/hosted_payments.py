"""Payments on a provider's hosted page or card reader: starting them, checking the status, recording the outcome.

A payment is stored before the provider is called, with an idempotency key that never changes. If a response, a webhook
or this process is lost, the next check recovers the outcome.
"""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import Sentence, Unavailable, clock
from comanda.contracts import ChargeRequest, PaymentDeclined, ProviderOutcome, ProviderState, parse_id
from comanda.orders import Bill, settlement
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import DecryptionFailed

from comanda_payments.models import TenderStatus
from comanda_payments.services.accounts import fees, payment_accounts
from comanda_payments.services.bills import order_balance
from comanda_payments.services.bills.payment_rows import PAYMENT_COLUMNS
from comanda_payments.services.prepaid import prepayment_settlement
from comanda_payments.services.prepaid.prepayment_rows import Prepayment, lock_prepayment
from comanda_payments.services.providers import provider_calls
from comanda_payments.services.providers.due_checks import claim_each
from comanda_payments.services.providers.provider_calls import AccountCalls

log = structlog.get_logger(__name__)

# How long after its creation a payment is first checked.
CHECK_DELAY: Final = timedelta(minutes=1)
# How long the payer has to pay.
PAGE_LIFETIME: Final = timedelta(hours=1)
# How long a card reader waits for a card, until it is free for the next guest.
READER_LIFETIME: Final = timedelta(minutes=3)
ACTOR: Final = "gateway"
MAX_FAILURE_LENGTH: Final = 500

SELECT_PAYMENT = f"""
    SELECT {PAYMENT_COLUMNS}, coalesce(o.currency, q.currency) AS currency, o.number, q.description
    FROM payments_payment p LEFT JOIN core_order_v1 o ON o.id = p.order_id AND o.owner_id = p.owner_id
    LEFT JOIN payments_prepayment q ON q.id = p.prepayment_id AND q.owner_id = p.owner_id
    WHERE p.id = $1 AND p.owner_id = $2
"""
SELECT_NEEDS_PAGE = f"""
    SELECT EXISTS (SELECT FROM payments_payment
    WHERE id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}' AND gateway_reference IS NULL)
"""
UPDATE_PAGE = f"""
    UPDATE payments_payment SET gateway_reference = $3, redirect_url = $4, instructions = $5, expires_at = $6
    WHERE id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}'
"""
UPDATE_OUTCOME = """
    UPDATE payments_payment
    SET status = $3, amount_minor = $4, charge_reference = $5, failure = $6, finished_at = $7, check_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
# A minute to an hour after now ($1), by the age of what is checked. The arithmetic of times depends on the time zone of
# the session, so that the nodes of a cluster may not do it; that of seconds does not.
NEXT_CHECK_AT: Final = """to_timestamp(extract(epoch FROM $1::timestamptz)::float8
        + least(greatest(extract(epoch FROM $1::timestamptz - {created_at})::float8 / 4, 60), 3600))"""
SELECT_DUE_PAYMENTS = f"""
    SELECT id, owner_id FROM payments_payment
    WHERE check_at <= $1 AND status = '{TenderStatus.PENDING}' ORDER BY check_at LIMIT 100
"""
# The interval grows with the age of the payment.
CLAIM_PAYMENT = f"""
    UPDATE payments_payment SET check_at = {NEXT_CHECK_AT.format(created_at="created_at")}
    WHERE id = $2 AND owner_id = $3 AND check_at <= $1 AND status = '{TenderStatus.PENDING}' RETURNING id
"""


async def needs_page(owner_id: int, payment_id: int) -> bool:
    """Check whether the provider still has to open the page of a payment."""
    return bool(await sql.fetch_value(SELECT_NEEDS_PAGE, payment_id, owner_id))


async def find_payment(owner_id: int, payment_id: int) -> sql.Row | None:
    """Return the row of a payment with its currency, and the number of its order or what is prepaid."""
    return await sql.fetch_one(SELECT_PAYMENT, payment_id, owner_id)


async def open_calls(payment: sql.Row) -> AccountCalls | None:
    """Return the calls for the account that a payment went to; None if it cannot be reached for now."""
    account_id = payment["payment_account_id"]
    try:
        account = await payment_accounts.load_account(
            payment["owner_id"], payment["store_id"], payment["method"], account_id
        )
    except DecryptionFailed as error:
        log.warning("payment_account_not_readable", account_id=account_id, error=str(error))
        return None
    return None if account is None else provider_calls.open_calls(account)


async def open_page(owner_id: int, payment_id: int) -> None:
    """Open the page of a pending payment. It fails if the provider declines, and stays pending on any other error."""
    row = await find_payment(owner_id, payment_id)
    calls = await open_calls(row) if row else None
    if row is None or calls is None:
        return
    charge = ChargeRequest(
        key=to_provider_key(owner_id, payment_id),
        store_id=row["store_id"],
        amount_minor=row["amount_minor"] + row["tip_minor"],
        fee_minor=row["fee_minor"],
        currency=row["currency"],
        description=row["description"] if row["order_id"] is None else f"Order {row['number']}",
        expires_at=row["created_at"] + (PAGE_LIFETIME if row["reader"] is None else READER_LIFETIME),
        return_url=row["return_url"] or runtime.settings().site_url,
        reader=row["reader"],
    )
    try:
        started = await calls.start(charge)
    except PaymentDeclined as refusal:
        await record_outcome(owner_id, payment_id, ProviderOutcome(ProviderState.FAILED, failure=str(refusal)))
    except Exception as error:  # the task tries again
        log.warning("payment_page_not_opened", payment_id=payment_id, error=repr(error))
    else:
        page = (started.reference, started.redirect_url, started.instructions, started.expires_at)
        await sql.execute(UPDATE_PAGE, payment_id, owner_id, *page)


async def close_page(owner_id: int, payment_id: int) -> TenderStatus:
    """Close the page of a pending payment and return the final status. Raises ``Unavailable``."""
    row = await sql.one(SELECT_PAYMENT, payment_id, owner_id)
    if row["reader"] is not None and row["status"] == TenderStatus.PENDING and row["gateway_reference"] is None:
        # The reader may be asking for a card although its answer was lost: only what has a reference can be cancelled.
        await open_page(owner_id, payment_id)
        row = await sql.one(SELECT_PAYMENT, payment_id, owner_id)
        if row["status"] == TenderStatus.PENDING and row["gateway_reference"] is None:
            raise Unavailable(Sentence("The card reader is not responding. Try again shortly."))
    if row["status"] != TenderStatus.PENDING:
        return TenderStatus(row["status"])
    # Without a page, nothing can have been collected.
    outcome = ProviderOutcome(ProviderState.FAILED)
    if row["gateway_reference"] is not None:
        calls = await open_calls(row)
        if calls is None:
            raise Unavailable(Sentence("The gateway of this payment is not installed or not configured."))
        try:
            outcome = await calls.cancel(row["gateway_reference"])
        except Exception as error:
            log.warning("payment_page_not_closed", payment_id=payment_id, error=repr(error))
            raise Unavailable(Sentence("The gateway is not responding. Try again shortly.")) from error
    return await record_outcome(owner_id, payment_id, outcome, status_without_payment=TenderStatus.CANCELLED)


async def check_payment(owner_id: int, payment_id: int) -> None:
    """Check the status of a payment with its provider, and record the outcome if it is final."""
    row = await find_payment(owner_id, payment_id)
    calls = await open_calls(row) if row else None
    if row is None or calls is None or row["status"] != TenderStatus.PENDING:
        return
    if row["gateway_reference"] is None:
        await open_page(owner_id, payment_id)
        return
    try:
        outcome = await calls.check(row["gateway_reference"])
        if outcome.state is ProviderState.PENDING and _has_left_reader(row):
            outcome = await calls.cancel(row["gateway_reference"])
    except Exception as error:  # the task tries again
        log.warning("payment_not_checked", payment_id=payment_id, error=repr(error))
        return
    await record_outcome(owner_id, payment_id, outcome)


async def check_due_payments() -> None:
    """Check all pending payments that are due for a check."""
    async for row in claim_each(await sql.fetch(SELECT_DUE_PAYMENTS, clock.now()), CLAIM_PAYMENT):
        await check_payment(row["owner_id"], row["id"])


async def record_outcome(
    owner_id: int,
    payment_id: int,
    outcome: ProviderOutcome,
    *,
    status_without_payment: TenderStatus = TenderStatus.FAILED,
) -> TenderStatus:
    """Record the outcome of a payment once, and return its status.

    Money that was collected counts, in the amount collected, even if the payment had been cancelled.
    ``status_without_payment`` is what a payment without money becomes. Emits ``OrderPaid`` when the order becomes paid,
    or ``PrepaymentChanged``.
    """
    async with sql.transaction():
        known = await sql.one(SELECT_PAYMENT, payment_id, owner_id)
        debt = await lock_debt(known)
        row = await sql.one(SELECT_PAYMENT, payment_id, owner_id)
        status = TenderStatus(row["status"])
        collected = outcome.state is ProviderState.SUCCEEDED
        if status is TenderStatus.SUCCEEDED or outcome.state is ProviderState.PENDING:
            return status
        if not collected and status is not TenderStatus.PENDING:
            return status
        amount = row["amount_minor"]
        if collected and outcome.amount_minor is not None:
            amount = max(0, outcome.amount_minor - row["tip_minor"])
        status = TenderStatus.SUCCEEDED if collected else status_without_payment
        failure = outcome.failure[:MAX_FAILURE_LENGTH] if outcome.failure and not collected else None
        await sql.execute(
            UPDATE_OUTCOME, payment_id, owner_id, status.value, amount, outcome.reference, failure, clock.now()
        )
        if collected:
            if isinstance(debt, Bill):
                await order_balance.apply_payment(debt, ACTOR, amount)
            else:
                await prepayment_settlement.book_payment(debt, payment_id, amount)
            # Last, as whatever else is booked for the owner waits for it.
            await fees.record_fee(row)
    return status


async def lock_debt(payment: sql.Row) -> Bill | Prepayment:
    """Lock what a payment is of: its order, or its prepayment until that is applied to an order."""
    if payment["order_id"] is None:
        return await lock_prepayment(payment["owner_id"], payment["prepayment_id"])
    return await settlement.lock_bill_of(payment["owner_id"], payment["store_id"], payment["order_id"])


def _has_left_reader(row: sql.Row) -> bool:
    """Return whether a guest has not paid on a card reader in time, which is then free for the next one."""
    return row["reader"] is not None and clock.now() >= row["created_at"] + READER_LIFETIME


def to_provider_key(owner_id: int, payment_id: int) -> str:
    """Return the idempotency key of a payment at its provider."""
    return f"payment-{owner_id}-{payment_id}"


def parse_provider_key(key: object) -> tuple[int, int] | None:
    """Return the owner and the payment of a provider key, or None if it is not one of ours."""
    parts = key.split("-") if isinstance(key, str) else []
    if len(parts) != 3 or parts[0] != "payment":
        return None
    owner_id, payment_id = parse_id(parts[1]), parse_id(parts[2])
    return None if owner_id is None or payment_id is None else (owner_id, payment_id)
