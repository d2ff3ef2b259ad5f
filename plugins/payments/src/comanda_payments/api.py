"""For other plugins: deposits, cash of drivers, payments and refunds, and accounts without credentials.

Lock a driver's cash before the drawer, as refunds do, to avoid deadlocks; and what a deposit is for before the deposit.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_payments.erasure import ANONYMIZE_PREPAYMENTS
from comanda_payments.events import PrepaymentChanged
from comanda_payments.models import PrepaymentKind, PrepaymentStatus
from comanda_payments.schemas import PaymentAccountBody
from comanda_payments.services.accounts import account_administration
from comanda_payments.services.bills.available_methods import list_desk_methods
from comanda_payments.services.bills.collected_elsewhere import record_collected_payment
from comanda_payments.services.bills.driver_cash import hand_in_driver_cash, lock_driver_cash
from comanda_payments.services.bills.money_movements import MoneyMovement, list_money_movements
from comanda_payments.services.prepaid import prepayment_checkout, prepayment_settlement
from comanda_payments.services.prepaid.desk_payments import DESK_PAYMENT_KEYS, DeskPayment, record_desk_payment
from comanda_payments.services.prepaid.prepaid_entries import PrepaidEntry, PrepaidEntryKind, list_prepaid_entries
from comanda_payments.services.prepaid.prepayment_checkout import NewPrepayment, close_page, require_online_payments
from comanda_payments.services.prepaid.prepayment_rows import lock_prepayment, set_status
from comanda_payments.services.providers.payment_links import get_payment_path

__all__ = [
    "DESK_PAYMENT_KEYS",
    "Deposit",
    "DeskPayment",
    "MoneyMovement",
    "PrepaidEntry",
    "PrepaidEntryKind",
    "PrepaymentChanged",
    "PrepaymentKind",
    "PrepaymentStatus",
    "cancel_deposit",
    "close_page",
    "connect_account",
    "create_deposit",
    "create_start_path",
    "erase_guests",
    "get_payment_path",
    "hand_in_driver_cash",
    "keep_deposit",
    "list_deposits",
    "list_desk_methods",
    "list_money_movements",
    "list_prepaid_entries",
    "lock_driver_cash",
    "record_collected_payment",
    "record_desk_payment",
    "require_online_payments",
    "start_deposit",
    "use_deposit",
]

SELECT_DEPOSITS: Final = """
    SELECT id, status, amount_minor, paid_minor - refunded_minor AS held_minor, currency, due_at, order_id
    FROM payments_prepayment
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Deposit:
    """A deposit: it can be paid until ``due_at`` while it is open; ``order_id`` is the order that it was applied to.

    ``held_minor`` is what was paid and not given back.
    """

    id: int
    status: PrepaymentStatus
    amount_minor: int
    held_minor: int
    currency: str
    due_at: datetime
    order_id: int | None


async def connect_account(caller: Caller, provider: str) -> int:
    """Connect an account for all stores of the caller and return its id. Raises ``Conflict`` if there is one."""
    account = await account_administration.create_account(caller, PaymentAccountBody(provider=provider))
    return account.id


async def create_deposit(
    *,
    owner_id: int,
    store_id: int,
    amount_minor: int,
    currency: str,
    description: str,
    guest_name: str,
    email: str | None,
    language: str | None,
    page_path: str,
    dashboard_path: str,
    due_at: datetime,
) -> int:
    """Create a deposit in the open transaction and return its id.

    ``page_path`` is where the payer comes back to, ``dashboard_path`` the owner's page of what it is for.
    ``PrepaymentChanged`` says that it was paid, or cancelled because nobody has paid until ``due_at``.
    """
    new = NewPrepayment(
        kind=PrepaymentKind.DEPOSIT,
        amount_minor=amount_minor,
        currency=currency,
        description=description,
        guest_name=guest_name,
        email=email,
        language=language,
        due_at=due_at,
        page_path=page_path,
        dashboard_path=dashboard_path,
    )
    return await prepayment_checkout.insert_prepayment(owner_id, store_id, new)


async def list_deposits(owner_id: int, deposit_ids: Collection[int]) -> dict[int, Deposit]:
    """Return deposits of an owner by their ids."""
    rows = await sql.fetch(SELECT_DEPOSITS, owner_id, list(deposit_ids))
    return {row["id"]: Deposit(**{**dict(row), "status": PrepaymentStatus(row["status"])}) for row in rows}


async def create_start_path(owner_id: int, deposit_id: int) -> str:
    """Return where the form of a guest's page starts the payment of a deposit."""
    return await prepayment_checkout.create_link(owner_id, deposit_id, "/prepayments/{id}/start")


async def start_deposit(owner_id: int, deposit_id: int) -> str | None:
    """Start the payment of a deposit at its provider, and return the address of the page on which the guest pays it."""
    return await prepayment_checkout.start_payment(owner_id, deposit_id)


async def cancel_deposit(
    owner_id: int, deposit_id: int, reason: str, actor: str, *, is_unattended: bool = False
) -> None:
    """Refund a deposit that is paid, or have one that is open cancelled; any other stays. In the open transaction.

    What was paid at the desk stays paid if the cancellation ``is_unattended``, until somebody there gives it back.
    """
    prepayment = await lock_prepayment(owner_id, deposit_id)
    if prepayment.status is PrepaymentStatus.PAID:
        await prepayment_settlement.refund_payments(prepayment, reason, actor, is_unattended=is_unattended)
    else:
        await prepayment_checkout.close_soon(owner_id, deposit_id)


async def erase_guests(owner_id: int, deposit_ids: Collection[int]) -> None:
    """Erase the names and addresses of the guests of deposits in the open transaction."""
    await sql.execute(ANONYMIZE_PREPAYMENTS, owner_id, list(deposit_ids))


async def use_deposit(owner_id: int, deposit_id: int, price_minor: int, actor: str) -> None:
    """Apply a deposit that is paid to what has no order, and refund what is above its price.

    One that is open is cancelled, any other stays. In the open transaction.
    """
    prepayment = await lock_prepayment(owner_id, deposit_id)
    if prepayment.status is PrepaymentStatus.PAID:
        await prepayment_settlement.use_prepayment(prepayment, price_minor, actor)
    else:
        await prepayment_checkout.close_soon(owner_id, deposit_id)


async def keep_deposit(owner_id: int, deposit_id: int) -> None:
    """Keep a deposit that is paid as revenue, or have one that is open cancelled. In the open transaction."""
    prepayment = await lock_prepayment(owner_id, deposit_id)
    if prepayment.status is PrepaymentStatus.PAID:
        await set_status(prepayment, PrepaymentStatus.KEPT)
    else:
        await prepayment_checkout.close_soon(owner_id, deposit_id)
