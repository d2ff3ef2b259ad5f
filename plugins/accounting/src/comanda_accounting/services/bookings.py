"""Bookings of closings: pure functions from what a closing counted to amounts between two accounts.

What orders cost is a debit of the account of open checks, what is paid of them a credit there. So sales and payments
of a day need not come to the same, and the balance of that account is what guests still owe, or are owed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda_closings.api import ClosedDays, Figure, Section

from comanda_accounting.services.charts import Purpose
from comanda_accounting.services.store_accounts import CASH, GIFT_CARD, StoreAccounts


class BookingKind(StrEnum):
    """What a booking is of."""

    SALES = "sales"
    TAX = "tax"
    ORDER_TIPS = "order_tips"
    PAYMENTS = "payments"
    PAYMENT_TIPS = "payment_tips"
    ROUNDING = "rounding"
    REFUNDS = "refunds"
    REFUNDED_SALES = "refunded_sales"
    REFUNDED_TAX = "refunded_tax"
    REFUNDED_TIPS = "refunded_tips"
    PREPAYMENTS = "prepayments"
    PREPAID_STAYS = "prepaid_stays"
    KEPT_DEPOSITS = "kept_deposits"
    DRAWER_DIFFERENCES = "drawer_differences"


TEXTS: Final = {
    BookingKind.SALES: N_("Sales at %(rate)s %%"),
    BookingKind.TAX: N_("Tax at %(rate)s %%"),
    BookingKind.ORDER_TIPS: N_("Tips on orders"),
    BookingKind.PAYMENTS: N_("Payments: %(method)s"),
    BookingKind.PAYMENT_TIPS: N_("Tips on payments"),
    BookingKind.ROUNDING: N_("Cash rounding"),
    BookingKind.REFUNDS: N_("Refunds: %(method)s"),
    BookingKind.REFUNDED_SALES: N_("Refunded sales at %(rate)s %%"),
    BookingKind.REFUNDED_TAX: N_("Refunded tax at %(rate)s %%"),
    BookingKind.REFUNDED_TIPS: N_("Refunded tips"),
    BookingKind.PREPAYMENTS: N_("Prepayments: %(method)s"),
    BookingKind.PREPAID_STAYS: N_("Prepaid stays"),
    BookingKind.KEPT_DEPOSITS: N_("Kept deposits"),
    BookingKind.DRAWER_DIFFERENCES: N_("Drawer differences"),
}
RATE_SECTIONS: Final = frozenset({Section.TAX, Section.ALLOWANCE})


@dataclass(frozen=True, slots=True)
class Booking:
    """An amount between two accounts: a debit of ``account`` and a credit of ``contra``, or the reverse if negative."""

    kind: BookingKind
    account: str
    contra: str
    amount_minor: int
    rate_ppm: int | None = None
    method: str = ""


@dataclass(frozen=True, slots=True)
class BookedClosing:
    """A closing and its bookings, which are of its last day."""

    closing: ClosedDays
    bookings: Sequence[Booking]

    @property
    def day(self) -> date:
        """The day on which it is booked."""
        return self.closing.last

    @property
    def debit_minor(self) -> int:
        """The sum of all debits, and of all credits."""
        return sum(abs(booking.amount_minor) for booking in self.bookings)


def find_missing_rates(closings: Iterable[ClosedDays], accounts: StoreAccounts) -> list[int]:
    """Return the tax rates in closings for which a store has no account, in parts per million."""
    rates = {int(code) for each in closings for section, code in each.sums.by_key if section in RATE_SECTIONS and code}
    return sorted(rate for rate in rates if accounts.find_revenue(rate) is None)


def create_bookings(closing: ClosedDays, accounts: StoreAccounts, labels: Mapping[str, str]) -> BookedClosing:
    """Return the bookings of a closing, for whose tax rates there are accounts; ``labels`` are of payment methods."""
    made = [
        *_book_sales(closing, accounts),
        *_book_payments(closing, accounts, labels),
        *_book_refunds(closing, accounts, labels),
        *_book_prepayments(closing, accounts, labels),
        *_book_drawers(closing, accounts),
    ]
    return BookedClosing(closing, [booking for booking in made if booking.amount_minor])


def describe(booking: Booking) -> str:
    """Return the text of a booking, in the current language."""
    method = _(booking.method) if booking.method else ""
    return _(TEXTS[booking.kind], rate=format_rate(booking.rate_ppm or 0), method=method)


def format_rate(rate_ppm: int) -> str:
    """Return a tax rate in percent with a decimal point, such as ``8.875``."""
    return f"{Decimal(rate_ppm).scaleb(-4).normalize():f}"


def _book_sales(closing: ClosedDays, accounts: StoreAccounts) -> Iterator[Booking]:
    checks = accounts.accounts[Purpose.CHECKS]
    for rate_ppm, net_minor, tax_minor in _list_rates(closing, Section.TAX):
        revenue, tax = accounts.find_revenue(rate_ppm) or "", accounts.find_tax(rate_ppm)
        yield Booking(BookingKind.SALES, checks, revenue, net_minor + (0 if tax else tax_minor), rate_ppm)
        if tax:
            yield Booking(BookingKind.TAX, checks, tax, tax_minor, rate_ppm)
    tips_minor = _get_amount(closing, Section.FIGURE, Figure.ORDER_TIPS)
    yield Booking(BookingKind.ORDER_TIPS, checks, accounts.accounts[Purpose.TIPS], tips_minor)


def _book_payments(closing: ClosedDays, accounts: StoreAccounts, labels: Mapping[str, str]) -> Iterator[Booking]:
    checks = accounts.accounts[Purpose.CHECKS]
    for code, amount_minor in _list_methods(closing, Section.TENDER):
        account, method = accounts.get_method(code), labels.get(code, code)
        yield Booking(BookingKind.PAYMENTS, account, checks, amount_minor, method=method)
    # What was collected has both in it, and neither pays for an order.
    for kind, purpose, figure in (
        (BookingKind.PAYMENT_TIPS, Purpose.TIPS, Figure.PAYMENT_TIPS),
        (BookingKind.ROUNDING, Purpose.ROUNDING, Figure.ROUNDING),
    ):
        yield Booking(kind, checks, accounts.accounts[purpose], _get_amount(closing, Section.FIGURE, figure))


def _book_refunds(closing: ClosedDays, accounts: StoreAccounts, labels: Mapping[str, str]) -> Iterator[Booking]:
    checks = accounts.accounts[Purpose.CHECKS]
    for code, amount_minor in _list_methods(closing, Section.REFUND):
        account, method = accounts.get_method(code), labels.get(code, code)
        yield Booking(BookingKind.REFUNDS, account, checks, -amount_minor, method=method)
    for rate_ppm, net_minor, tax_minor in _list_rates(closing, Section.ALLOWANCE):
        refunds, tax = accounts.find_refund(rate_ppm) or "", accounts.find_tax(rate_ppm)
        yield Booking(BookingKind.REFUNDED_SALES, checks, refunds, -net_minor - (0 if tax else tax_minor), rate_ppm)
        if tax:
            yield Booking(BookingKind.REFUNDED_TAX, checks, tax, -tax_minor, rate_ppm)
    tips_minor = _get_amount(closing, Section.ALLOWANCE, "")
    yield Booking(BookingKind.REFUNDED_TIPS, checks, accounts.accounts[Purpose.TIPS], -tips_minor)


def _book_prepayments(closing: ClosedDays, accounts: StoreAccounts, labels: Mapping[str, str]) -> Iterator[Booking]:
    """Book what is owed to payers, and deposits that ended without an order.

    What was applied to an order is among its payments, and taken off here. Nights are in no closing; a deposit that
    was used for them is a credit of open checks, against which a hotel books them.
    """
    deposits = accounts.accounts[Purpose.DEPOSITS]
    owed = {GIFT_CARD: accounts.accounts[Purpose.GIFT_CARDS]}
    for code, amount_minor in _list_methods(closing, Section.PREPAID):
        kind, _separator, name = code.partition(":")
        account, method = accounts.get_method(name), labels.get(name, name)
        yield Booking(BookingKind.PREPAYMENTS, account, owed.get(kind, deposits), amount_minor, method=method)
    for booked, purpose, figure in (
        (BookingKind.PREPAID_STAYS, Purpose.CHECKS, Figure.PREPAID_STAYS),
        (BookingKind.KEPT_DEPOSITS, Purpose.KEPT_DEPOSITS, Figure.KEPT_DEPOSITS),
    ):
        amount_minor = _get_amount(closing, Section.FIGURE, figure)
        yield Booking(booked, deposits, accounts.accounts[purpose], amount_minor)


def _book_drawers(closing: ClosedDays, accounts: StoreAccounts) -> Iterator[Booking]:
    difference_minor = _get_amount(closing, Section.FIGURE, Figure.DRAWER_DIFFERENCES)
    cash, differences = accounts.get_method(CASH), accounts.accounts[Purpose.DRAWER_DIFFERENCES]
    yield Booking(BookingKind.DRAWER_DIFFERENCES, cash, differences, difference_minor)


def _get_amount(closing: ClosedDays, section: Section, code: str) -> int:
    return closing.sums.by_key.get((section, code), (0, 0, 0))[1]


def _list_rates(closing: ClosedDays, section: Section) -> list[tuple[int, int, int]]:
    found = closing.sums.by_key.items()
    return sorted((int(code), net, tax) for (each, code), (_count, net, tax) in found if each == section and code)


def _list_methods(closing: ClosedDays, section: Section) -> list[tuple[str, int]]:
    found = closing.sums.by_key.items()
    return sorted((code, amount) for (each, code), (_count, amount, _tax) in found if each == section)
