"""Whoever holds an order's track token may pay what is left of it, on the page of a payment provider."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from babel.numbers import format_currency
from comanda import money, runtime
from comanda.contracts.callers import Caller
from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.orders import queries, settlement
from comanda.orders.settlement import Bill

from comanda_payments import booking, hosted, methods, paying
from comanda_payments.links import pay_path, pay_url
from comanda_payments.models import PaymentStatus
from comanda_payments.schemas import PaymentBody

TOKEN_LENGTH: Final = 64
LOCALE: Final = "en"
FIND: Final = """
    SELECT o.id, o.owner_id, o.store_id, o.number, s.title, s.slug, s.is_published
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.track_hash = $1
"""
ROW: Final = (
    "SELECT status, amount_minor, redirect_url, instructions FROM payments_payment WHERE id = $1 AND owner_id = $2"
)


class Stage(StrEnum):
    """What the page offers: to pay, to go on with a payment that was begun, or to know that there is nothing to do."""

    PAY = "pay"
    WAITING = "waiting"
    ELSEWHERE = "elsewhere"
    PAID = "paid"
    CANCELLED = "cancelled"
    AT_STORE = "at_store"


class Said(StrEnum):
    """Why somebody is back on the page."""

    AWAY = "away"
    REFUSED = "refused"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Guest:
    """An order as the holder of its track token reaches it."""

    token: str
    row: sql.Row

    @property
    def caller(self) -> Caller:
        """The guest, as payments know who made them: by their order."""
        row = self.row
        return Caller("guest", 0, row["owner_id"], row["store_id"], row["id"], frozenset(), None)

    @property
    def place(self) -> tuple[Caller, int, int]:
        """What services of payments take first."""
        return self.caller, self.row["store_id"], self.row["id"]


async def find(token: str) -> Guest:
    """Return the order of a track token. Raises ``NotFound`` for one that is unknown or expired."""
    if not token.isascii() or len(token) > TOKEN_LENGTH:
        raise NotFound
    # Says what may still be followed, and hides the orders of a suspended owner.
    await queries.get_tracking(token)
    row = await sql.fetch_one(FIND, hashlib.sha256(token.encode()).digest())
    if row is None:
        raise NotFound
    return Guest(token, row)


async def view(guest: Guest) -> dict[str, Any]:
    """Make what the template ``pay.html`` shows."""
    bill = await settlement.get_bill(*guest.place)
    payment_id = await paying.waiting(guest.caller, bill.id)
    waiting = await _row(bill.owner_id, payment_id) if payment_id is not None else None
    left = waiting["amount_minor"] if waiting else await booking.left_of(bill)
    return {
        "token": guest.token,
        "store": guest.row,
        "number": bill.number,
        "stage": _stage(bill, left, is_waiting=waiting is not None),
        "total": _price(bill.total_minor, bill.currency),
        "paid": _price(bill.paid_minor, bill.currency) if bill.paid_minor else None,
        "left": _price(left, bill.currency),
        "methods": methods.online(),
        "instructions": waiting["instructions"] if waiting else None,
        "has_tracking": any(declared.blueprint.name == "storefront" for declared in runtime.registry().pages),
    }


async def start(guest: Guest, method: str) -> str:
    """Begin to pay what is left, or go on with what was begun, and return where to go: the provider's page, or ours."""
    usable = [each.code for each in methods.online()]
    if not usable:
        return pay_path(guest.token)
    body = PaymentBody(method=method if method in usable else usable[0], return_url=f"{pay_url(guest.token)}/return")
    try:
        payment_id, is_new = await paying.pay_online(*guest.place, body)
        if not is_new and await _asked(guest, payment_id) in (PaymentStatus.FAILED, PaymentStatus.CANCELLED):
            # Its page has expired meanwhile.
            payment_id, is_new = await paying.pay_online(*guest.place, body)
    except (Conflict, ValidationFailed):
        # Paid, cancelled, or begun elsewhere since the page was drawn, which now says so.
        return pay_path(guest.token)
    if await hosted.is_unopened(guest.row["owner_id"], payment_id):
        await hosted.open_page(guest.row["owner_id"], payment_id)
    return await _next(guest, payment_id)


async def come_back(guest: Guest) -> None:
    """Find out what became of the payment that somebody comes back from."""
    payment_id = await paying.waiting(guest.caller, guest.row["id"])
    if payment_id is not None:
        await _asked(guest, payment_id)


async def _asked(guest: Guest, payment_id: int) -> str:
    await hosted.ask(guest.row["owner_id"], payment_id)
    row = await _row(guest.row["owner_id"], payment_id)
    return str(row["status"])


async def _next(guest: Guest, payment_id: int) -> str:
    row = await _row(guest.row["owner_id"], payment_id)
    if row["status"] == PaymentStatus.FAILED:
        return pay_path(guest.token, Said.REFUSED)
    if row["status"] != PaymentStatus.PENDING or row["instructions"]:
        return pay_path(guest.token)
    return row["redirect_url"] or pay_path(guest.token, Said.AWAY)


async def _row(owner_id: int, payment_id: int) -> sql.Row:
    row = await sql.fetch_one(ROW, payment_id, owner_id)
    assert row is not None  # noqa: S101 - payments are never deleted
    return row


def _stage(bill: Bill, left_minor: int, *, is_waiting: bool) -> Stage:
    if bill.was_paid:
        return Stage.PAID
    if bill.status is Status.CANCELLED:
        return Stage.CANCELLED
    if is_waiting:
        return Stage.WAITING
    if bill.amount_due_minor == 0 or not methods.online():
        return Stage.AT_STORE
    return Stage.PAY if left_minor else Stage.ELSEWHERE


def _price(amount_minor: int, currency: str) -> str:
    return str(format_currency(money.to_decimal_string(amount_minor, currency), currency, locale=LOCALE))
