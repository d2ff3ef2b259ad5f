"""Payers of prepayments: created, paid on a provider's page, and cancelled once nobody has paid in time.

A prepayment has one pending payment at a time. What is still paid after it was closed goes back.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda.basics import Conflict, Sentence, Unavailable, clock
from comanda.contracts import NO_IDEMPOTENCY_KEY, IdempotencyKey
from comanda.platform import runtime
from comanda.platform.db import KeyedTable, sql
from comanda.platform.encryption import require_link_owner, sign_link

from comanda_payments.models import PrepaymentKind, PrepaymentStatus, TenderStatus
from comanda_payments.services.accounts import fees
from comanda_payments.services.bills import available_methods
from comanda_payments.services.prepaid.prepayment_rows import Prepayment, get_prepayment, lock_prepayment, set_status
from comanda_payments.services.providers import due_checks, hosted_payments
from comanda_payments.services.providers.due_checks import claim_each
from comanda_payments.services.providers.hosted_payments import CHECK_DELAY, NEXT_CHECK_AT

log = structlog.get_logger(__name__)

PURPOSE: Final = "payments.prepayment"
# A link opens the page of what was paid for so long.
LINK_LIFETIME: Final = timedelta(days=90)

INSERT_PREPAYMENT: Final = f"""
    INSERT INTO payments_prepayment (owner_id, store_id, kind, status, amount_minor, currency, description, email,
        language, page_path, due_at, check_at, idempotency_key, body_hash, created_at, guest_name, dashboard_path)
    VALUES ($1, $2, $3, '{PrepaymentStatus.OPEN}', $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15)
    RETURNING id
"""
PREPAYMENT_KEYS: Final = KeyedTable("payments_prepayment", "store_id")
SELECT_PENDING: Final = f"""
    SELECT id FROM payments_payment
    WHERE prepayment_id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}' ORDER BY id LIMIT 1
"""
INSERT_PAYMENT: Final = f"""
    INSERT INTO payments_payment (owner_id, store_id, prepayment_id, method, status, amount_minor, return_url, actor,
        created_at, check_at, payment_account_id, fee_minor)
    VALUES ($1, $2, $3, $4, '{TenderStatus.PENDING}', $5, $6, 'guest', $7, $8, $9, $10) RETURNING id
"""
SELECT_PAGE: Final = f"""
    SELECT redirect_url FROM payments_payment WHERE id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}'
"""
CLOSE_NOW: Final = f"""
    UPDATE payments_prepayment SET due_at = $3, check_at = $3
    WHERE id = $1 AND owner_id = $2 AND status = '{PrepaymentStatus.OPEN}'
"""
SELECT_DUE: Final = f"""
    SELECT id, owner_id FROM payments_prepayment
    WHERE check_at <= $1 AND status = '{PrepaymentStatus.OPEN}' ORDER BY check_at LIMIT 100
"""
# The interval grows with its age.
CLAIM: Final = f"""
    UPDATE payments_prepayment SET check_at = {NEXT_CHECK_AT.format(created_at="created_at")}
    WHERE id = $2 AND owner_id = $3 AND check_at <= $1 AND status = '{PrepaymentStatus.OPEN}' RETURNING id
"""


@dataclass(frozen=True, slots=True)
class NewPrepayment:
    """What is to be paid until ``due_at``, and the guest's and the owner's pages of what it is for."""

    kind: PrepaymentKind
    amount_minor: int
    currency: str
    description: str
    email: str | None
    language: str | None
    due_at: datetime
    page_path: str | None = None
    guest_name: str | None = None
    dashboard_path: str | None = None


async def require_online_payments(owner_id: int, store_id: int) -> None:
    """Raise ``Conflict`` with the reason ``no_online_payment`` unless a store can be paid online now."""
    if not await available_methods.list_online_methods(owner_id, store_id):
        raise _create_refusal()


async def insert_prepayment(
    owner_id: int, store_id: int, new: NewPrepayment, key: IdempotencyKey = NO_IDEMPOTENCY_KEY
) -> int:
    """Insert a prepayment and return its id."""
    prepayment_id: int = await sql.fetch_value(
        INSERT_PREPAYMENT, owner_id, store_id, new.kind.value, new.amount_minor, new.currency, new.description,
        new.email, new.language, new.page_path, new.due_at, key.text, key.body_hash, clock.now(), new.guest_name,
        new.dashboard_path,
    )  # fmt: skip
    return prepayment_id


async def start_payment(owner_id: int, prepayment_id: int) -> str | None:
    """Start the payment of a prepayment or resume the one that is pending, and return the address of its page.

    None if nothing can be paid any more, or the provider cannot be reached. Raises ``Conflict`` without a provider.
    """
    payment_id, is_new = await _get_or_create_payment(owner_id, prepayment_id)
    if payment_id is not None and not is_new:
        await hosted_payments.check_payment(owner_id, payment_id)
        # One that has failed meanwhile makes room for another.
        payment_id, is_new = await _get_or_create_payment(owner_id, prepayment_id)
    if payment_id is None:
        return None
    if await hosted_payments.needs_page(owner_id, payment_id):
        await hosted_payments.open_page(owner_id, payment_id)
    url: str | None = await sql.fetch_value(SELECT_PAGE, payment_id, owner_id)
    return url


async def check_payment(owner_id: int, prepayment_id: int) -> Prepayment:
    """Check the pending payment of a prepayment with its provider, and return the prepayment."""
    payment_id = await find_pending_payment(owner_id, prepayment_id)
    if payment_id is not None:
        await hosted_payments.check_payment(owner_id, payment_id)
    return await get_prepayment(owner_id, prepayment_id)


async def find_pending_payment(owner_id: int, prepayment_id: int) -> int | None:
    """Return the id of the payment of a prepayment that waits for its payer, if there is one."""
    found: int | None = await sql.fetch_value(SELECT_PENDING, prepayment_id, owner_id)
    return found


async def close_page(owner_id: int, prepayment_id: int) -> None:
    """Close the page on which a prepayment is being paid, if there is one. Raises ``Unavailable``."""
    pending_id = await find_pending_payment(owner_id, prepayment_id)
    if pending_id is not None:
        await hosted_payments.close_page(owner_id, pending_id)


async def close_soon(owner_id: int, prepayment_id: int) -> None:
    """Cancel an open prepayment as soon as the open transaction has committed."""
    await sql.execute(CLOSE_NOW, prepayment_id, owner_id, clock.now())
    due_checks.request_check()


async def cancel_due_prepayments() -> None:
    """Cancel the prepayments that nobody has paid in time."""
    async for row in claim_each(await sql.fetch(SELECT_DUE, clock.now()), CLAIM):
        try:
            await _cancel(row["owner_id"], row["id"])
        except Unavailable as error:  # the task tries again
            log.warning("prepayment_not_cancelled", prepayment_id=row["id"], error=str(error))


async def create_link(owner_id: int, prepayment_id: int, path: str = "/gift-cards/{id}") -> str:
    """Return a path with the query that opens the page of a prepayment, starts its payment, or leads back to it."""
    link = await sign_link(PURPOSE, owner_id, prepayment_id, LINK_LIFETIME)
    return f"{path.format(id=prepayment_id)}?{link.query}"


async def find_linked(prepayment_id: int, expires: str, signature: str) -> Prepayment:
    """Return the prepayment of a link. Raises ``NotFound``."""
    owner_id = await require_link_owner(PURPOSE, prepayment_id, expires, signature)
    return await get_prepayment(owner_id, prepayment_id)


async def _get_or_create_payment(owner_id: int, prepayment_id: int) -> tuple[int | None, bool]:
    """Return the pending payment of a prepayment, or create one if it can be paid, and whether it is new."""
    return_path = await create_link(owner_id, prepayment_id, "/prepayments/{id}/return")
    async with sql.transaction():
        prepayment = await lock_prepayment(owner_id, prepayment_id)
        pending_id = await find_pending_payment(owner_id, prepayment_id)
        if pending_id is not None or not prepayment.can_be_paid:
            return pending_id, False
        return await _insert_payment(prepayment, return_path), True


async def _insert_payment(prepayment: Prepayment, return_path: str) -> int:
    owner_id, store_id = prepayment.owner_id, prepayment.store_id
    methods = await available_methods.list_online_methods(owner_id, store_id)
    account = methods and (await available_methods.get_available_method(owner_id, store_id, methods[0].code))[1]
    if not account:
        raise _create_refusal()
    fee_minor = await fees.calculate_fee_minor(account, store_id, prepayment.amount_minor, prepayment.currency)
    moment = clock.now()
    site_url = runtime.registry().guest_site_url(runtime.settings().site_url, store_id)
    payment_id: int = await sql.fetch_value(
        INSERT_PAYMENT, owner_id, store_id, prepayment.id, account.provider, prepayment.amount_minor,
        f"{site_url}{return_path}", moment, moment + CHECK_DELAY, account.id, fee_minor,
    )  # fmt: skip
    return payment_id


def _create_refusal() -> Conflict:
    return Conflict(Sentence("This store cannot be paid online at the moment."), extras={"reason": "no_online_payment"})


async def _cancel(owner_id: int, prepayment_id: int) -> None:
    """Close the page of a prepayment, then the prepayment itself, unless it was paid. Raises ``Unavailable``."""
    await close_page(owner_id, prepayment_id)
    async with sql.transaction():
        prepayment = await lock_prepayment(owner_id, prepayment_id)
        # One that was started at the last moment is closed by the next check.
        is_pending = await find_pending_payment(owner_id, prepayment_id) is not None
        if prepayment.status is PrepaymentStatus.OPEN and not prepayment.can_be_paid and not is_pending:
            await set_status(prepayment, PrepaymentStatus.CANCELLED)
