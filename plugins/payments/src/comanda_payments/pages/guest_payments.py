"""Online payments by guests, who are identified by the track token of their order, or the token of its table."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from comanda.basics import Conflict, ValidationFailed, money
from comanda.contracts import Caller, IdempotencyKey, PaymentMethod, Status
from comanda.orders import PAY_BY, Bill, Order, OrderLine, settlement
from comanda.orders import get_guest_order as find_guest_order
from comanda.platform import runtime
from comanda.web import GuestStore, format_minor, formats, store_guests

from comanda_payments.models import TenderStatus
from comanda_payments.pages import shares
from comanda_payments.pages.shares import Share, Tip
from comanda_payments.records.payments import Payment
from comanda_payments.schemas import PaymentBody
from comanda_payments.services.bills import available_methods, order_balance, payments
from comanda_payments.services.providers import hosted_payments
from comanda_payments.services.providers.payment_links import get_payment_path, get_payment_url
from comanda_payments.store_settings import get_settings


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
    SHARE = "share"
    TIP = "tip"


@dataclass(frozen=True, slots=True)
class PayPageOrder:
    """An order and the token by which a guest has it."""

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
    """Return the order of a track or table token. Raises ``NotFound`` for one that is unknown or expired."""
    return PayPageOrder(token, await find_guest_order(token))


async def get_page_context(guest: PayPageOrder) -> dict[str, Any]:
    """Return the context of the template ``pay.html``."""
    bill = await settlement.get_bill(*guest.service_args)
    payable_minor = await order_balance.get_payable_minor(bill)
    started = await payments.list_pending_payments(guest.caller, bill.id)
    # While others pay their shares, a guest pays from what is left.
    waiting = await _get_payment(guest, next(iter(started))) if started and not payable_minor else None
    methods = await _list_methods(guest.order)
    pending_minor = bill.amount_due_minor - payable_minor
    payable_minor = waiting.amount.minor + waiting.tip.minor if waiting else payable_minor
    store = await store_guests.get_store(bill.owner_id, guest.order.store_id)
    return {
        "token": guest.token,
        "store": store,
        "number": bill.number,
        "stage": _get_stage(bill, payable_minor, is_waiting=waiting is not None, has_methods=bool(methods)),
        "total": format_minor(bill.total_minor, bill.currency),
        "paid": format_minor(bill.paid_minor, bill.currency) if bill.paid_minor else None,
        "pending": format_minor(pending_minor, bill.currency) if pending_minor and not waiting else None,
        "left": format_minor(payable_minor, bill.currency),
        "lines": [(line, format_minor(line.total_minor, bill.currency)) for line in _list_shared_lines(guest.order)],
        "max_people": shares.MAX_PEOPLE,
        "tips": _list_tips(guest.order, payable_minor) if await _offers_tip(guest.order) else (),
        "pay_by": _format_pay_by(guest.order, store) if guest.order.awaits_payment else None,
        "key": secrets.token_urlsafe(),
        "methods": methods,
        "instructions": waiting.instructions if waiting else None,
        "has_tracking": any(declared.blueprint.name == "storefront" for declared in runtime.registry().pages),
    }


def _list_shared_lines(order: Order) -> Sequence[OrderLine]:
    """Return the lines of an order that is shared at a table, of which each guest may pay some."""
    return [line for line in order.lines if line.total_minor > 0] if order.table_number else ()


async def _offers_tip(order: Order) -> bool:
    """Return whether the payment of an order may have a tip: the store offers that, and it has none yet."""
    if not shares.may_have_tip(order):
        return False
    return (await get_settings(order.owner_id, order.store_id)).offers_tips


def _format_pay_by(order: Order, store: GuestStore) -> str:
    return formats.format_time(datetime.fromisoformat(order.attributes[PAY_BY]).astimezone(store.zone))


def _list_tips(order: Order, payable_minor: int) -> Sequence[tuple[int, str]]:
    """Return the percentages that are offered as tips, with what they come to."""
    return [(percentage, format_minor(minor, order.currency)) for percentage, minor in shares.list_tips(payable_minor)]


async def start_share(guest: PayPageOrder, method: str, share: Share, tip: Tip, form: bytes) -> str:
    """Start an online payment of a part of the order, and return the URL to redirect to.

    ``form`` is the hash of what was sent: the form has a key of its own, so the same bytes are the same press.
    """
    payable_minor = await _get_payable_minor(guest)
    try:
        amount_minor = shares.calculate_minor(share, guest.order, payable_minor)
    except ValueError:
        return get_payment_path(guest.token, PayPageNotice.SHARE)
    try:
        tip_minor = await _calculate_tip_minor(guest, tip, amount_minor)
    except ValueError:
        return get_payment_path(guest.token, PayPageNotice.TIP)
    amount = money.to_number(amount_minor, guest.order.currency)
    body = await _create_body(guest, method, tip_minor, amount, f"?share={form.hex()}")
    if body is None:
        return get_payment_path(guest.token)
    key = IdempotencyKey(_to_key(form.hex()), form)
    try:
        created = await payments.create_payment(*guest.service_args, body, key)
    except (Conflict, ValidationFailed):
        return get_payment_path(guest.token)
    return await _get_redirect_url(guest, created.record.id)


async def _list_methods(order: Order) -> Sequence[PaymentMethod]:
    return await available_methods.list_guest_methods(order.owner_id, order.store_id, order.type)


def _to_key(form: str) -> str:
    return f"pay-page:{form}"


async def _calculate_tip_minor(guest: PayPageOrder, tip: Tip, paid_minor: int) -> int:
    """Return what the tip comes to, 0 where none is offered. Raises ``ValueError`` like ``shares``."""
    return shares.calculate_tip_minor(tip, guest.order, paid_minor) if await _offers_tip(guest.order) else 0


async def _get_payable_minor(guest: PayPageOrder) -> int:
    return await order_balance.get_payable_minor(await settlement.get_bill(*guest.service_args))


async def _create_body(
    guest: PayPageOrder, method: str, tip_minor: int, amount: float | None = None, query: str = ""
) -> PaymentBody | None:
    order = guest.order
    available = [each.code for each in await _list_methods(order)]
    if not available:
        return None
    chosen = method if method in available else available[0]
    url = get_payment_url(order.store_id, guest.token)
    tip = money.to_number(tip_minor, order.currency)
    return PaymentBody(method=chosen, amount=amount, tip=tip, return_url=f"{url}/return{query}")


async def start_payment(guest: PayPageOrder, method: str, tip: Tip) -> str:
    """Start or resume an online payment of all that is left, and return the URL to redirect to."""
    try:
        tip_minor = await _calculate_tip_minor(guest, tip, await _get_payable_minor(guest))
    except ValueError:
        return get_payment_path(guest.token, PayPageNotice.TIP)
    body = await _create_body(guest, method, tip_minor)
    if body is None:
        return get_payment_path(guest.token)
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


async def check_pending_payment(guest: PayPageOrder, share: str | None) -> PayPageNotice | None:
    """Check the payment that a guest comes back from, and return what to say of it, and nothing of other guests'.

    ``share`` is what the return address says: the form of a share, or None for all that was left.
    """
    key = None if share is None else _to_key(share)
    pending = await payments.list_pending_payments(guest.caller, guest.order.id)
    statuses = [await _check_status(guest, payment_id) for payment_id, own in pending.items() if own == key]
    return PayPageNotice.REFUSED if TenderStatus.FAILED in statuses else None


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


def _get_stage(bill: Bill, payable_minor: int, *, is_waiting: bool, has_methods: bool) -> PayPageStage:
    if bill.is_paid:
        return PayPageStage.PAID
    if bill.status is Status.CANCELLED:
        return PayPageStage.CANCELLED
    if is_waiting:
        return PayPageStage.WAITING
    if bill.amount_due_minor == 0 or not has_methods:
        return PayPageStage.AT_STORE
    return PayPageStage.PAY if payable_minor else PayPageStage.ELSEWHERE
