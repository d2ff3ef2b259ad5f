"""Request and response bodies of customers, for their store's owner."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, ShortText, example
from comanda.contracts.wire import MoneyNumber
from comanda.orders.order_json import to_order_json
from comanda.orders.schemas import OrderOut
from pydantic import BaseModel, BeforeValidator, Field

from comanda_customers.schemas.accounts import CustomerOut
from comanda_customers.schemas.addresses import AddressOut
from comanda_customers.schemas.consents import Consents, ConsentsChange
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


class ContactOut(BaseModel):
    """A customer of a store.

    ``orders_count`` does not include cancelled orders; ``total_spent`` is what was paid for the others, less refunds.
    """

    id: int
    name: str | None
    email: str | None
    phone: str | None
    orders_count: int
    total_spent: MoneyNumber
    last_order_at: datetime | None
    consents: Consents
    created_at: datetime


class ContactDetail(ContactOut):
    """A customer in detail; ``has_account`` is whether they can log in."""

    birthday: date | None
    locale: str | None
    has_account: bool
    addresses: list[AddressOut]


class DeviceOut(BaseModel):
    """A device that the customer logged in on, or a browser in which they are signed in on the store's page."""

    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NotesOut(BaseModel):
    """The store's guest record of the customer: totals and tags."""

    name: str | None
    phone: str | None
    email: str | None
    tags: list[str]
    visits: int
    orders: int
    first_seen_at: datetime | None
    last_seen_at: datetime | None


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
    """All data that a store has about a customer."""

    exported_at: datetime
    profile: CustomerOut
    addresses: list[AddressOut]
    devices: list[DeviceOut]
    guest: list[NotesOut]
    cart: SavedCartOut
    orders: list[Annotated[OrderOut, BeforeValidator(to_order_json)]]
