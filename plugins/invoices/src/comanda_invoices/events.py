"""The event of invoices and credit notes."""

from comanda.contracts import Event


class InvoiceIssued(Event):
    """An invoice or a credit note was issued. The ``total`` of a credit note of ``invoice_id`` is negative."""

    name = "invoice.issued"
    scope = "orders:read"
    sample = {
        "document_id": 41,
        "restaurant_id": 7,
        "order_id": 1024,
        "kind": "invoice",
        "number": "INV-000041",
        "invoice_id": None,
        "total": "23.50",
        "currency": "EUR",
    }

    document_id: int
    restaurant_id: int
    order_id: int
    kind: str
    number: str
    invoice_id: int | None
    total: str
    currency: str
