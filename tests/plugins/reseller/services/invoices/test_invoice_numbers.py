"""Numbers of invoices, as people read them."""

import pytest
from comanda_reseller.models import InvoiceKind
from comanda_reseller.services.invoices.invoice_numbers import format_number


@pytest.mark.parametrize(
    ("kind", "sequence", "shown"),
    [
        (InvoiceKind.INVOICE, 17, "INV-000017"),
        (InvoiceKind.CREDIT_NOTE, 3, "INVC-000003"),
        (InvoiceKind.INVOICE, 12_345_678, "INV-12345678"),
    ],
)
def test_number_has_prefix_and_six_digits(kind, sequence, shown):
    assert format_number("INV", kind, sequence) == shown
