"""The journal as CSV."""

import csv
import io

import pytest
from comanda_accounting.services.bookings import create_bookings
from comanda_accounting.services.bookings_csv import create_csv
from comanda_accounting.services.store_accounts import StoreAccounts
from comanda_accounting.store_settings import AccountingSettings


def write(closing, labels=None):
    accounts = StoreAccounts.of(AccountingSettings(method_accounts="stripe = 1361"))
    text = create_csv([create_bookings(closing, accounts, labels or {})]).decode().removeprefix("\ufeff")
    return list(csv.reader(io.StringIO(text)))


def test_booking_is_a_row_of_either_account(close_with):
    closing = close_with({("tax", "88750"): (1, 1000, 89), ("refund", "stripe"): (1, 250, 0)})

    assert write(closing, {"stripe": "Card"}) == [
        ["date", "closing", "account", "contra_account", "debit", "credit", "tax_rate", "text", "currency"],
        ["2030-05-15", "7", "1200", "4000", "10.00", "", "8.875", "Sales at 8.875 %", "EUR"],
        ["2030-05-15", "7", "4000", "1200", "", "10.00", "8.875", "Sales at 8.875 %", "EUR"],
        ["2030-05-15", "7", "1200", "2200", "0.89", "", "8.875", "Tax at 8.875 %", "EUR"],
        ["2030-05-15", "7", "2200", "1200", "", "0.89", "8.875", "Tax at 8.875 %", "EUR"],
        ["2030-05-15", "7", "1200", "1361", "2.50", "", "", "Refunds: Card", "EUR"],
        ["2030-05-15", "7", "1361", "1200", "", "2.50", "", "Refunds: Card", "EUR"],
    ]


@pytest.mark.parametrize(("currency", "amount"), [("JPY", "1234"), ("EUR", "12.34"), ("KWD", "1.234")])
def test_amounts_have_the_decimals_of_their_currency(close_with, currency, amount):
    rows = write(close_with({("tender", "cash"): (1, 1234, 0)}, currency=currency))

    assert [row[4] for row in rows[1:]] == [amount, ""]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x"])
def test_texts_are_no_formulas(close_with, monkeypatch, text):
    monkeypatch.setattr("comanda_accounting.services.bookings_csv.describe", lambda _: text)

    rows = write(close_with({("tender", "cash"): (1, 1234, 0)}))

    assert {row[7] for row in rows[1:]} == {f"'{text}"}
