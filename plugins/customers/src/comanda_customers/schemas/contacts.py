"""Request bodies of customers, for their store's owner, and the export of their data."""

from datetime import datetime
from typing import Annotated, Any

from comanda.contracts import Body, Name, ShortText, example
from comanda.orders import OrderOut, to_order_json
from pydantic import BaseModel, BeforeValidator, Field

from comanda_customers.records.customers import Profile, SavedAddress
from comanda_customers.records.data_exports import Device, GuestNotes
from comanda_customers.schemas.consents import ConsentsChange
from comanda_customers.schemas.fields import Birthday, EmailText, Locale, PhoneText


class ContactQuery(BaseModel):
    """Which customers to list: those whose name, phone number or e-mail contains a text."""

    search: Annotated[ShortText, Field(max_length=100)] = ""


class ContactBody(Body):
    """A new customer created by the owner: a name, and an e-mail or a phone number."""

    name: Name
    email: EmailText | None = None
    phone: PhoneText | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None


class ContactChange(Body):
    """Fields to update; fields left out are unchanged. Null clears all but the name and the consents.

    ``email`` and ``phone`` are how the store contacts the customer, who still logs in by what they have proven.
    """

    model_config = example({"phone": "+351912345678", "consents": {"marketing_email": False}})

    name: Name | None = None
    email: EmailText | None = None
    phone: PhoneText | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None


class SavedLineOut(BaseModel):
    """A line of the cart that is saved for the store's page."""

    item: int
    variation: int | None
    extras: list[int]
    quantity: int
    note: str
    name: str
    details: str
    unit: int


class SavedCartOut(BaseModel):
    """The cart that is saved for the store's page."""

    lines: list[SavedLineOut]


class Export(BaseModel):
    """All data that a store has about a customer; ``records`` are what plugins keep beside orders, by their names."""

    exported_at: datetime
    profile: Profile
    addresses: list[SavedAddress]
    devices: list[Device]
    guest: list[GuestNotes]
    cart: SavedCartOut
    orders: list[Annotated[OrderOut, BeforeValidator(to_order_json)]]
    records: dict[str, list[dict[str, Any]]]
