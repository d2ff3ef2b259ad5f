"""Requests about a reseller's brand, and the settings of its invoices."""

from typing import Annotated

from comanda.contracts import Count, Email, ExactBody, Name, Percent, Text, example
from pydantic import Field


class BillingSettingsChange(ExactBody):
    """Changes for invoices from now on. Omitted fields stay as they are; null removes a text.

    ``legal_name`` is by default the name of the account. ``payment_note`` stands on invoices that are to be paid by
    hand, such as the number of a bank account.
    """

    model_config = example({"legal_name": "Norte Digital Lda", "tax_rate": 23, "due_days": 14})

    legal_name: Name | None = None
    address: Annotated[Text, Field(max_length=1000)] | None = None
    tax_number: Annotated[Text, Field(max_length=50)] | None = None
    tax_rate: Percent | None = None
    invoice_prefix: Annotated[str, Field(pattern="^[A-Z0-9]{1,10}$")] | None = None
    due_days: Annotated[Count, Field(le=365)] | None = None
    payment_note: Annotated[Text, Field(max_length=1000)] | None = None


class ResellerBrandBody(ExactBody):
    """The brand of a reseller: ``name`` stands on the pages and e-mails of its customers, ``email`` answers them.

    Null is the installation's own.
    """

    model_config = example({"name": "Norte Digital", "email": "help@norte.example"})

    name: Name | None = None
    email: Email | None = None
