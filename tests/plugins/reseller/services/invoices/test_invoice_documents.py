"""Invoices as people read them."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.basics import Money
from comanda_reseller.services.invoices.invoice_documents import format_amount, format_date, to_document
from comanda_reseller.services.invoices.invoice_rows import get_invoice
from reselling import Reseller


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Money(123_456_789, "EUR"), "1,234,567.89"),
        (Money(-5, "EUR"), "-0.05"),
        (Money(1234, "JPY"), "1,234"),
        (Money(-1_234_567, "KWD"), "-1,234.567"),
    ],
)
def test_amounts_have_separators_and_all_decimals(amount, shown):
    assert format_amount(amount) == shown


def test_dates_have_the_name_of_the_month():
    assert format_date(datetime(2030, 1, 5, tzinfo=UTC)) == "5 January 2030"


async def test_document_of_an_open_invoice(client, owner, clock):
    clock.set(datetime(2030, 1, 5, tzinfo=UTC))
    reseller = await Reseller.create(client, owner, tax_ppm=77_000, address="One\n\n Two ", tax_number="X1")
    issued = await reseller.invoice(await reseller.customer(), 1000)

    document = to_document(issued, "Pay to X")

    assert dict(document.facts)["Period"] == "5 January 2030 – 3 February 2030"  # noqa: RUF001 - a range
    assert dict(document.facts)["Due"] == "19 January 2030"
    assert document.seller.lines == ["One", "Two", owner.email, "Tax number: X1"]
    assert document.totals == [
        ("Subtotal", "10.00 EUR"),
        ("Tax 7.7 %", "0.77 EUR"),
        ("Total", "10.77 EUR"),
        ("Amount due", "10.77 EUR"),
    ]
    assert document.notes == ["Pay to X"]


async def test_document_of_a_void_invoice_asks_for_nothing(client, owner, clock):
    reseller = await Reseller.create(client, owner)
    issued = await reseller.invoice(await reseller.customer(), 1000)
    clock.advance(seconds=timedelta(hours=1).total_seconds())
    await reseller.act(issued, "void", {"reason": "Billed twice"})

    document = to_document(await get_invoice(reseller.id, issued.id), "Pay to X")

    assert document.totals[-1] == ("Amount due", "0.00 EUR")
    assert document.notes == ["This invoice is void. Nothing is to be paid for it."]
    assert dict(document.facts)["Reason"] == "Billed twice"
