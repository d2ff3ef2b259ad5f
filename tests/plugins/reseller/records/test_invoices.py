"""Amounts that an invoice derives."""

from dataclasses import fields
from datetime import UTC, datetime

import pytest
from comanda.money import Money
from comanda_reseller.models import InvoiceStatus
from comanda_reseller.records.invoices import Invoice, Period

START, END = datetime(2030, 1, 1, tzinfo=UTC), datetime(2030, 2, 1, tzinfo=UTC)


def make_invoice(**given):
    """Return an invoice of which only some fields are set."""
    values = dict.fromkeys(field.name for field in fields(Invoice))
    return Invoice(**values | {"period_start": START, "period_end": END, **given})


@pytest.mark.parametrize(
    ("status", "due"),
    [
        (InvoiceStatus.OPEN, 7),
        (InvoiceStatus.PAID, 0),
        (InvoiceStatus.VOID, 0),
    ],
)
def test_only_an_open_invoice_is_due_less_the_credit(status, due):
    invoice = make_invoice(status=status, total=Money(1000, "EUR"), credit_applied=Money(993, "EUR"))

    assert (invoice.payable, invoice.amount_due) == (Money(7, "EUR"), Money(due, "EUR"))


def test_credit_note_adds_to_the_credit():
    note = make_invoice(total=Money(-500, "JPY"), credit_applied=Money(-500, "JPY"))

    assert note.payable == Money(0, "JPY")
    assert (note.currency, note.period) == ("JPY", Period(START, END))
