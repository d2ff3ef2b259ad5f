"""Requests about customers."""

from typing import Annotated

from comanda.contracts import Body, Name, ShortText, Text, example
from pydantic import BaseModel, Field

from comanda_reseller.models import CollectionMethod
from comanda_reseller.records.accounts import CustomerStatus

Email = Annotated[ShortText, Field(pattern=r"^[^@\s]+@[^@\s]+$")]
Language = Annotated[str, Field(pattern="^[a-z]{2}(-[A-Z]{2})?$")]
Address = Annotated[Text, Field(max_length=1000)]
TaxNumber = Annotated[Text, Field(max_length=50)]
Reason = Annotated[Text, Field(max_length=500)]


class CustomerBody(Body):
    """A customer to create and invite. ``legal_name``, ``address`` and ``tax_number`` are for its invoices."""

    model_config = example({"email": "rosa@tasca.example", "name": "Tasca da Rosa", "collection_method": "manual"})

    email: Email
    name: Name
    collection_method: CollectionMethod = CollectionMethod.WALLET
    language: Language = "en"
    legal_name: Name | None = None
    address: Address | None = None
    tax_number: TaxNumber | None = None


class CustomerChange(Body):
    """Changes of a customer; omitted fields stay as they are, null removes a text."""

    model_config = example({"collection_method": "wallet"})

    collection_method: CollectionMethod | None = None
    language: Language | None = None
    legal_name: Name | None = None
    address: Address | None = None
    tax_number: TaxNumber | None = None


class SuspendBody(Body):
    """Why a customer is suspended."""

    model_config = example({"reason": "Two invoices are overdue."})

    reason: Reason = ""


class CustomerQuery(BaseModel):
    """Filters for customers: ``search`` in name and e-mail."""

    status: CustomerStatus | None = None
    search: ShortText | None = None
