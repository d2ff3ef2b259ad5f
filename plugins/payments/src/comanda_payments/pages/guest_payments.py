"""Online payments by guests, who are identified by the track token of their order."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from comanda.basics import Conflict, ValidationFailed
from comanda.contracts import Caller, Status
from comanda.orders import Bill, Order, queries, settlement
from comanda.platform import runtime
from comanda.web import format_minor, store_guests

from comanda_payments.models import TenderStatus
from comanda_payments.records.payments import Payment
from comanda_payments.schemas import PaymentBody
from comanda_payments.services import available_methods, hosted_payments, order_balance, payments
from comanda_payments.services.payment_links import get_payment_path, get_payment_url


class PayPageStage(StrEnum):
    """The state of the payment page."""

    PAY = "pay"
    WAITING = "waiting"
    ELSEWHERE = "elsewhere"
    PAID = "paid"
    CANCELLED = "cancelled"
    AT_STORE = "at_store"


class PayPageNotice(StrEnum):
    """A message shown when a guest comes back to the page."""

    AWAY = "away"
    REFUSED = "refused"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class PayPageOrder:
    """An order and its track token."""

    token: str
    order: Order

    @property
    def caller(self) -> Caller:
        """The guest as a caller, identified by the order."""
        return Caller("guest", 0, self.order.owner_id, self.order.store_id, self.order.id, frozenset(), None)

    @property
    def service_args(self) -> tuple[Caller, int, int]:
        """The first arguments of the payment services."""
        return self.caller, self.order.store_id, self.order.id


async def get_guest_order(token: str) -> PayPageOrder:
    """Return the order of a track token. Raises ``NotFound`` for one that is unknown or expired."""
    return PayPageOrder(token, await queries.get_tracking(token))


async def get_page_context(guest: PayPageOrder) -> dict[str, Any]:
    """Return the context of the template ``pay.html``."""
    bill = await settlement.get_bill(*guest.service_args)
    payment_id = await payments.get_pending_payment_id(guest.caller, bill.id)
    waiting = await _get_payment(guest, payment_id) if payment_id is not None else None
    payable_minor = waiting.amount.minor if waiting else await order_balance.get_payable_minor(bill)
    return {
        "token": guest.token,
        "store": await store_guests.get_store(bill.owner_id, guest.order.store_id),
        "number": bill.number,
        "stage": _get_stage(bill, payable_minor, is_waiting=waiting is not None),
        "total": format_minor(bill.total_minor, bill.currency),
        "paid": format_minor(bill.paid_minor, bill.currency) if bill.paid_minor else None,
        "left": format_minor(payable_minor, bill.currency),
        "methods": available_methods.list_online_methods(),
        "instructions": waiting.instructions if waiting else None,
        "has_tracking": any(declared.blueprint.name == "storefront" for declared in runtime.registry().pages),
    }


async def start_payment(guest: PayPageOrder, method: str) -> str:
    """Start or resume an online payment and return the URL to redirect to: the provider's page or ours."""
    available = [each.code for each in available_methods.list_online_methods()]
    if not available:
        return get_payment_path(guest.token)
    body = PaymentBody(
        method=method if method in available else available[0], return_url=f"{get_payment_url(guest.token)}/return"
    )
    try:
        payment_id, is_new = await payments.get_or_create_online_payment(*guest.service_args, body)
        if not is_new and await _check_status(guest, payment_id) in (TenderStatus.FAILED, TenderStatus.CANCELLED):
            # The page has expired in the meantime.
            payment_id, is_new = await payments.get_or_create_online_payment(*guest.service_args, body)
    except (Conflict, ValidationFailed):
        # Paid, cancelled or started elsewhere in the meantime; the page shows which.
        return get_payment_path(guest.token)
    if await hosted_payments.needs_page(guest.order.owner_id, payment_id):
        await hosted_payments.open_page(guest.order.owner_id, payment_id)
    return await _get_redirect_url(guest, payment_id)


async def check_pending_payment(guest: PayPageOrder) -> None:
    """Check the pending payment of a guest who comes back from the provider."""
    payment_id = await payments.get_pending_payment_id(guest.caller, guest.order.id)
    if payment_id is not None:
        await _check_status(guest, payment_id)


async def _check_status(guest: PayPageOrder, payment_id: int) -> TenderStatus:
    await hosted_payments.check_payment(guest.order.owner_id, payment_id)
    return (await _get_payment(guest, payment_id)).status


async def _get_redirect_url(guest: PayPageOrder, payment_id: int) -> str:
    payment = await _get_payment(guest, payment_id)
    if payment.status is TenderStatus.FAILED:
        return get_payment_path(guest.token, PayPageNotice.REFUSED)
    if payment.status is not TenderStatus.PENDING or payment.instructions:
        return get_payment_path(guest.token)
    return payment.redirect_url or get_payment_path(guest.token, PayPageNotice.AWAY)


async def _get_payment(guest: PayPageOrder, payment_id: int) -> Payment:
    return await payments.get_payment(*guest.service_args, payment_id)


def _get_stage(bill: Bill, payable_minor: int, *, is_waiting: bool) -> PayPageStage:
    if bill.is_paid:
        return PayPageStage.PAID
    if bill.status is Status.CANCELLED:
        return PayPageStage.CANCELLED
    if is_waiting:
        return PayPageStage.WAITING
    if bill.amount_due_minor == 0 or not available_methods.list_online_methods():
        return PayPageStage.AT_STORE
    return PayPageStage.PAY if payable_minor else PayPageStage.ELSEWHERE
