"""Customers as their store's owner sees them."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, ShortText
from comanda.orders.schemas import OrderOut
from pydantic import BaseModel, Field

from comanda_customers.schemas.accounts import CustomerOut
from comanda_customers.schemas.addresses import AddressOut
from comanda_customers.schemas.consents import Consents, ConsentsChange
from comanda_customers.schemas.wire import Birthday, EmailText, Locale, PhoneText


class ContactQuery(BaseModel):
    """Which customers to list: those with a text in their name, phone number or e-mail."""

    search: Annotated[ShortText, Field(max_length=100)] = ""


class ContactBody(Body):
    """A customer whom the owner writes down: a name, and an e-mail or a phone number."""

    name: Name
    email: EmailText | None = None
    phone: PhoneText | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None


class ContactOut(BaseModel):
    """A customer of a store; ``orders_count`` and ``total_spent`` leave out cancelled orders and what was refunded."""

    id: int
    name: str | None
    email: str | None
    phone: str | None
    orders_count: int
    total_spent: float
    last_order_at: datetime | None
    consents: Consents
    created_at: datetime


class ContactDetail(ContactOut):
    """A customer with what a list leaves out; ``has_account`` tells whether they can log in."""

    birthday: date | None
    locale: str | None
    has_account: bool
    addresses: list[AddressOut]


class DeviceOut(BaseModel):
    """A device that a customer was logged in on."""

    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NotesOut(BaseModel):
    """What the store has added up and noted about the customer as a guest."""

    name: str | None
    phone: str | None
    email: str | None
    tags: list[str]
    visits: int
    orders: int
    first_seen_at: datetime | None
    last_seen_at: datetime | None


class Export(BaseModel):
    """All that a store has of a customer, for them to keep or take elsewhere."""

    exported_at: datetime
    profile: CustomerOut
    addresses: list[AddressOut]
    devices: list[DeviceOut]
    guest: list[NotesOut]
    orders: list[OrderOut]
