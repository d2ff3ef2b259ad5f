"""Bookings of closings: they balance, whatever was counted, and open checks are what orders still owe."""

import csv
import io
from collections import Counter

import pytest
from comanda_accounting.services.bookings import create_bookings, find_missing_rates
from comanda_accounting.services.bookings_csv import create_csv
from comanda_accounting.services.charts import ChartName
from comanda_accounting.services.store_accounts import StoreAccounts
from comanda_accounting.store_settings import AccountingSettings
from hypothesis import given, settings
from hypothesis import strategies as st

CHECKS, TIPS = "1410", "1590"
amounts = st.integers(-(10**12), 10**12)
counts = st.integers(0, 99)
by_rate = st.dictionaries(
    st.sampled_from(["0", "50000", "70000", "88750", "190000"]), st.tuples(counts, amounts, amounts)
)
by_method = st.dictionaries(
    st.sampled_from(["cash", "card_external", "gift_card", "stripe"]), st.tuples(counts, amounts, st.just(0))
)
FIGURES = ("order_tips", "payment_tips", "rounding", "prepaid_stays", "kept_deposits", "drawer_differences")


@st.composite
def all_sums(draw):
    found = {("figure", name): (1, draw(amounts), 0) for name in FIGURES}
    for section, strategy in (("tax", by_rate), ("allowance", by_rate), ("tender", by_method), ("refund", by_method)):
        found |= {(section, code): values for code, values in draw(strategy).items()}
    if draw(st.booleans()):
        found["allowance", ""] = (1, draw(amounts), 0)
    return found


@pytest.fixture
def skr03():
    return StoreAccounts.of(AccountingSettings(chart=ChartName.SKR03))


def list_booked(closing, accounts):
    return [
        (each.kind, each.account, each.contra, each.amount_minor)
        for each in create_bookings(closing, accounts, {"cash": "Cash"}).bookings
    ]


def sum_accounts(booked):
    """Return the balances of accounts: debits less credits."""
    balances = Counter()
    for booking in booked.bookings:
        balances[booking.account] += booking.amount_minor
        balances[booking.contra] -= booking.amount_minor
    return {account: amount for account, amount in balances.items() if amount}


@given(sums=all_sums(), chart=st.sampled_from(ChartName), currency=st.sampled_from(["EUR", "JPY", "KWD"]))
@settings(deadline=None, max_examples=60)
def test_debits_are_credits_of_every_closing(close_with, sums, chart, currency):
    accounts = StoreAccounts.of(AccountingSettings(chart=chart, revenue_accounts="5 = 8310\n8.875 = 8320"))
    closing = close_with(sums, currency=currency)

    booked = create_bookings(closing, accounts, {})

    text = create_csv([booked]).decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    debited, credited = (
        sum(int(row[side].replace(".", "")) for row in rows if row[side]) for side in ("debit", "credit")
    )
    assert debited == credited == booked.debit_minor
    assert all(bool(row["debit"]) != bool(row["credit"]) and row["account"] for row in rows)
    assert sum(sum_accounts(booked).values()) == 0


def test_mixed_taxes_tips_and_rounding(close_with, skr03):
    closing = close_with(
        {
            ("tax", "190000"): (2, 1000, 190),
            ("tax", "70000"): (1, 1000, 70),
            ("tax", "0"): (1, 500, 0),
            ("figure", "order_tips"): (1, 100, 0),
            ("figure", "payment_tips"): (1, 50, 0),
            ("figure", "rounding"): (1, -2, 0),
            ("figure", "payments"): (3, 2862, 0),
            ("tender", "cash"): (1, 1910, 0),
            ("tender", "card_external"): (1, 1000, 0),
        }
    )

    assert list_booked(closing, skr03) == [
        ("sales", CHECKS, "8200", 500),
        ("sales", CHECKS, "8300", 1070),
        ("sales", CHECKS, "8400", 1190),
        ("order_tips", CHECKS, TIPS, 100),
        ("payments", "1360", CHECKS, 1000),
        ("payments", "1000", CHECKS, 1910),
        ("payment_tips", CHECKS, TIPS, 50),
        ("rounding", CHECKS, "2709", -2),
    ]
    # 28.60 was sold, 28.62 paid.
    assert sum_accounts(create_bookings(closing, skr03, {}))[CHECKS] == -2


def test_tax_account_divides_revenue_and_tax(close_with):
    accounts = StoreAccounts.of(AccountingSettings())
    closing = close_with({("tax", "190000"): (1, 1000, 190), ("allowance", "190000"): (1, 100, 19)})

    assert list_booked(closing, accounts) == [
        ("sales", "1200", "4000", 1000),
        ("tax", "1200", "2200", 190),
        ("refunded_sales", "1200", "4000", -100),
        ("refunded_tax", "1200", "2200", -19),
    ]


def test_gift_cards_refunds_and_deposits(close_with):
    accounts = StoreAccounts.of(AccountingSettings(chart=ChartName.SKR04, refund_accounts="19 = 4720"))
    closing = close_with(
        {
            ("tender", "gift_card"): (1, 2000, 0),
            ("refund", "gift_card"): (1, 500, 0),
            ("refund", "stripe"): (1, 100, 0),
            ("allowance", "190000"): (1, 420, 80),
            ("allowance", ""): (1, 100, 0),
            ("figure", "kept_deposits"): (1, 3000, 0),
            ("figure", "drawer_differences"): (1, -250, 0),
        }
    )

    assert list_booked(closing, accounts) == [
        ("payments", "3500", "1210", 2000),
        ("refunds", "3500", "1210", -500),
        ("refunds", "1460", "1210", -100),
        ("refunded_sales", "1210", "4720", -500),
        ("refunded_tips", "1210", "1370", -100),
        ("kept_deposits", "3250", "4970", 3000),
        ("drawer_differences", "1600", "6300", -250),
    ]


def test_prepayments_are_owed_until_their_order_or_visit(close_with):
    accounts = StoreAccounts.of(AccountingSettings(chart=ChartName.SKR04))
    bought = close_with({("prepaid", "gift_card:demo"): (1, 2000, 0), ("prepaid", "deposit:demo"): (3, 9000, 0)})
    used = close_with(
        {
            ("prepaid", "deposit:demo"): (2, -5000, 0),
            ("tender", "demo"): (1, 4000, 0),
            ("figure", "prepaid_stays"): (1, 3000, 0),
            ("figure", "kept_deposits"): (1, 1000, 0),
        }
    )

    assert list_booked(bought, accounts) == [
        ("prepayments", "1460", "3250", 9000),
        ("prepayments", "1460", "3500", 2000),
    ]
    assert list_booked(used, accounts) == [
        ("payments", "1460", "1210", 4000),
        ("prepayments", "1460", "3250", -5000),
        ("prepaid_stays", "3250", "1210", 3000),
        ("kept_deposits", "3250", "4970", 1000),
    ]
    owed = [sum_accounts(create_bookings(each, accounts, {}))["3250"] for each in (bought, used)]
    # 40.00 became a payment and 10.00 went back; nothing is owed any more.
    assert owed == [-9000, 9000]


def test_rates_without_an_account_are_missing(close_with, skr03):
    closings = [
        close_with({("tax", "50000"): (1, 100, 5), ("allowance", "160000"): (1, 10, 2), ("tax", "0"): (1, 1, 0)})
    ]

    assert find_missing_rates(closings, skr03) == [50_000, 160_000]
    assert find_missing_rates(closings, StoreAccounts.of(AccountingSettings())) == []
