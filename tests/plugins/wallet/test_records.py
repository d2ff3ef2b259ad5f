"""Amounts that records of wallets derive."""

from datetime import UTC, datetime

from comanda.basics import Money
from comanda_wallet.models import EntryKind
from comanda_wallet.records import Earnings, Entry, Wallet

NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)


def test_available_is_the_balance_with_the_credit():
    wallet = Wallet(1, "EUR", balance_minor=-300, credit_limit_minor=1000)

    assert wallet.available == Money(700, "EUR")
    assert (wallet.balance, wallet.credit_limit) == (Money(-300, "EUR"), Money(1000, "EUR"))


def test_threshold_is_none_unless_set():
    assert Wallet(1, "EUR").low_balance is None
    assert Wallet(1, "EUR", low_balance_minor=0).low_balance == Money(0, "EUR")


def test_repeated_entry_equals_the_first():
    first = Entry(1, 1, EntryKind.USAGE, -5, "EUR", 95, "a:1", "Calls", NOON)
    repeat = Entry(1, 1, EntryKind.USAGE, -5, "EUR", 95, "a:1", "Calls", NOON, is_repeat=True)

    assert first == repeat
    assert (repeat.amount, repeat.balance) == (Money(-5, "EUR"), Money(95, "EUR"))


def test_earnings_show_refunds_as_positive():
    earnings = Earnings(1, "EUR", 70, 100, 30)

    assert earnings.earned - earnings.refunded == earnings.balance
