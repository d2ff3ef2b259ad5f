"""The contents of documents as they are stored."""

import json
from datetime import date
from typing import Any

import orjson
from comanda.basics import Money

from comanda_invoices.records import (
    Buyer,
    InvoiceAdjustment,
    InvoiceContent,
    OrderInvoiceLine,
    OrderInvoicePayment,
    Seller,
    TaxAmount,
)


def to_json(content: InvoiceContent) -> str:
    """Return a content as it is stored."""
    return orjson.dumps(content).decode()


def from_json(text: str) -> InvoiceContent:
    """Return a stored content."""
    stored = json.loads(text, object_hook=_revive_money)
    return InvoiceContent(
        **{
            **stored,
            "supplied_on": date.fromisoformat(stored["supplied_on"]),
            "seller": Seller(**stored["seller"]),
            "buyer": Buyer(**stored["buyer"]),
            "lines": [OrderInvoiceLine(**each) for each in stored["lines"]],
            "adjustments": [InvoiceAdjustment(**each) for each in stored["adjustments"]],
            "taxes": [TaxAmount(**each) for each in stored["taxes"]],
            "payments": [
                OrderInvoicePayment(**{**each, "paid_on": date.fromisoformat(each["paid_on"])})
                for each in stored["payments"]
            ],
        }
    )


def _revive_money(stored: dict[str, Any]) -> dict[str, Any] | Money:
    return Money(**stored) if stored.keys() == {"minor", "currency"} else stored
