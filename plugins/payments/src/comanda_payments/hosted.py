"""Payments that a person makes on a provider's page: opened, asked about, concluded.

The payment is written down before the provider hears of it, under a key that stays the same, so that whatever is lost
on the way, an answer, a callback, this process, the next question finds out what became of it.
"""

from datetime import timedelta
from typing import Final

import structlog
from comanda import clock, runtime
from comanda.contracts.payments import ChargeRequest, PaymentDeclined, ProviderOutcome, ProviderState
from comanda.db import sql
from comanda.errors import Unavailable
from comanda.orders import settlement

from comanda_payments import booking, methods
from comanda_payments.models import PaymentStatus
from comanda_payments.records import PAYMENT_COLUMNS

log = structlog.get_logger(__name__)

# How long a provider is left alone before it is asked: by then it has answered, or will not.
PATIENCE: Final = timedelta(minutes=1)
# How long a person has to pay.
OPEN_FOR: Final = timedelta(hours=1)
ACTOR: Final = "gateway"
MAX_FAILURE: Final = 500

ONE = f"""
    SELECT {PAYMENT_COLUMNS}, o.currency, o.number
    FROM payments_payment p JOIN core_order o ON o.id = p.order_id AND o.owner_id = p.owner_id
    WHERE p.id = $1 AND p.owner_id = $2
"""
UNOPENED = f"""
    SELECT EXISTS (SELECT FROM payments_payment
    WHERE id = $1 AND owner_id = $2 AND status = '{PaymentStatus.PENDING}' AND gateway_reference IS NULL)
"""
OPENED = f"""
    UPDATE payments_payment SET gateway_reference = $3, redirect_url = $4, instructions = $5, expires_at = $6
    WHERE id = $1 AND owner_id = $2 AND status = '{PaymentStatus.PENDING}'
"""
CONCLUDE = """
    UPDATE payments_payment
    SET status = $3, amount_minor = $4, charge_reference = $5, failure = $6, finished_at = $7, check_at = NULL
    WHERE id = $1 AND owner_id = $2
"""
# Asked often while it is young, and ever more seldom, up to once an hour. One process of all asks.
DUE = f"""
    UPDATE payments_payment
    SET check_at = $1::timestamptz + least(greatest(($1 - created_at) / 4, interval '1 minute'), interval '1 hour')
    WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM payments_payment
        WHERE check_at <= $1 AND status = '{PaymentStatus.PENDING}' ORDER BY check_at LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id, owner_id
"""


async def is_unopened(owner_id: int, payment_id: int) -> bool:
    """Tell whether a payment waits for its provider to open a page."""
    return bool(await sql.fetch_value(UNOPENED, payment_id, owner_id))


async def is_of(owner_id: int, payment_id: int, method: str, reference: object) -> bool:
    """Tell whether a payment is one of a method, and has this reference or none yet."""
    row = await sql.fetch_one(ONE, payment_id, owner_id)
    return row is not None and row["method"] == method and row["gateway_reference"] in (None, reference)


async def open_page(owner_id: int, payment_id: int) -> None:
    """Let the provider open a page for a pending payment, or note that it refuses; where it is away, it waits."""
    row = await sql.fetch_one(ONE, payment_id, owner_id)
    provider = methods.provider_of(row["method"]) if row else None
    if row is None or provider is None:
        return
    charge = ChargeRequest(
        key=key_of(owner_id, payment_id),
        amount_minor=row["amount_minor"] + row["tip_minor"],
        currency=row["currency"],
        description=f"Order {row['number']}",
        expires_at=row["created_at"] + OPEN_FOR,
        return_url=row["return_url"] or runtime.settings().site_url,
    )
    try:
        started = await provider.start(charge)
    except PaymentDeclined as refusal:
        await conclude(owner_id, payment_id, ProviderOutcome(ProviderState.FAILED, failure=str(refusal)))
    except Exception as error:  # whatever it was, the task asks again
        log.warning("payment_page_not_opened", payment_id=payment_id, error=repr(error))
    else:
        page = (started.reference, started.redirect_url, started.instructions, started.expires_at)
        await sql.execute(OPENED, payment_id, owner_id, *page)


async def close_page(owner_id: int, payment_id: int) -> PaymentStatus:
    """Close the page of a pending payment, and tell how the payment ended. Raises ``Unavailable``."""
    row = await sql.fetch_one(ONE, payment_id, owner_id)
    assert row is not None  # noqa: S101 - payments are never deleted
    if row["status"] != PaymentStatus.PENDING:
        return PaymentStatus(row["status"])
    provider = methods.provider_of(row["method"])
    # A page that nobody was shown collects nothing.
    outcome = ProviderOutcome(ProviderState.FAILED)
    if row["gateway_reference"] is not None:
        if provider is None:
            raise Unavailable("The gateway of this payment is not installed or has no settings.")
        try:
            outcome = await provider.cancel(row["gateway_reference"])
        except Exception as error:
            log.warning("payment_page_not_closed", payment_id=payment_id, error=repr(error))
            raise Unavailable("The gateway does not answer. Try again shortly.") from error
    return await conclude(owner_id, payment_id, outcome, otherwise=PaymentStatus.CANCELLED)


async def ask(owner_id: int, payment_id: int) -> None:
    """Ask the provider what became of a payment, and conclude it if anything did."""
    row = await sql.fetch_one(ONE, payment_id, owner_id)
    provider = methods.provider_of(row["method"]) if row else None
    if row is None or provider is None:
        return
    if row["gateway_reference"] is None:
        await open_page(owner_id, payment_id)
        return
    try:
        outcome = await provider.check(row["gateway_reference"])
    except Exception as error:  # it is asked again
        log.warning("payment_not_checked", payment_id=payment_id, error=repr(error))
        return
    await conclude(owner_id, payment_id, outcome)


async def ask_due() -> None:
    """Ask about every payment that has been pending for long enough."""
    for row in await sql.fetch(DUE, clock.now()):
        await ask(row["owner_id"], row["id"])


async def conclude(
    owner_id: int, payment_id: int, outcome: ProviderOutcome, *, otherwise: PaymentStatus = PaymentStatus.FAILED
) -> PaymentStatus:
    """Write down how a payment ended, once, and return how it stands.

    Money that was collected counts even where the payment had been given up, and as much of it as was collected.
    ``otherwise`` is what a payment without money becomes. Emits ``OrderPaid`` as ``book`` does.
    """
    async with sql.transaction():
        known = await sql.fetch_one(ONE, payment_id, owner_id)
        assert known is not None  # noqa: S101 - payments are never deleted
        bill = await settlement.lock_bill_of(owner_id, known["store_id"], known["order_id"])
        row = await sql.fetch_one(ONE, payment_id, owner_id)
        assert row is not None  # noqa: S101
        status = PaymentStatus(row["status"])
        collected = outcome.state is ProviderState.SUCCEEDED
        if status is PaymentStatus.SUCCEEDED or outcome.state is ProviderState.PENDING:
            return status
        if not collected and status is not PaymentStatus.PENDING:
            return status
        amount = row["amount_minor"]
        if collected and outcome.amount_minor is not None:
            amount = max(0, outcome.amount_minor - row["tip_minor"])
        status = PaymentStatus.SUCCEEDED if collected else otherwise
        failure = outcome.failure[:MAX_FAILURE] if outcome.failure and not collected else None
        await sql.execute(CONCLUDE, payment_id, owner_id, status.value, amount, outcome.reference, failure, clock.now())
        if collected:
            await booking.book(bill, ACTOR, amount)
    return status


def key_of(owner_id: int, payment_id: int) -> str:
    """Name a payment to providers."""
    return f"payment-{owner_id}-{payment_id}"


def read_key(key: object) -> tuple[int, int] | None:
    """Return the owner and the payment that a key names, or None for what is no key of ours."""
    parts = key.split("-") if isinstance(key, str) else []
    if len(parts) != 3 or parts[0] != "payment" or not all(part.isascii() and part.isdigit() for part in parts[1:]):
        return None
    owner_id, payment_id = int(parts[1][:19]), int(parts[2][:19])
    return (owner_id, payment_id) if max(owner_id, payment_id) < 2**63 else None
