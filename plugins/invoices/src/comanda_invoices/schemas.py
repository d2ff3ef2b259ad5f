"""Bodies and filters of requests about invoices."""

from typing import Annotated

from comanda.contracts import NOT_BLANK, Body, ClientKey, Email, Id, Name, ShortText, Text, example
from pydantic import BaseModel, Field

Address = Annotated[Text, Field(max_length=500), NOT_BLANK]
TaxNumber = Annotated[ShortText, Field(max_length=50)]
Reason = Annotated[Text, Field(max_length=200), NOT_BLANK]


class InvoiceBody(Body):
    """Who the invoice is made out to, and where a link to it is sent."""

    model_config = example({"name": "Nordwind GmbH", "address": "Hafenstraße 7\n20457 Hamburg", "tax_number": "DE123"})

    name: Name
    address: Address
    tax_number: TaxNumber = ""
    email: Email = ""


class GuestInvoiceBody(InvoiceBody):
    """What a guest enters on the page of an order."""

    client_uuid: ClientKey


class OrderReceiptBody(Body):
    """Where the receipt of an order is sent."""

    model_config = example({"email": "ana@example.com"})

    email: Annotated[Email, NOT_BLANK]


class EmailedReceiptBody(OrderReceiptBody):
    """What a guest enters on the page of an order's receipt."""

    client_uuid: ClientKey


class InvoiceCancelBody(Body):
    """Why an invoice is cancelled; it stands on the credit note."""

    model_config = example({"reason": "Wrong address of the buyer"})

    reason: Reason


class OrderInvoiceQuery(BaseModel):
    """Filters for invoices and credit notes: those issued in a month, such as 2026-03, and those of an order."""

    month: Annotated[str, Field(pattern="^[12][0-9]{3}-(0[1-9]|1[0-2])$")] | None = None
    order_id: Id | None = None


class GuestInvoiceOut(BaseModel):
    """The page to go on to."""

    url: str
