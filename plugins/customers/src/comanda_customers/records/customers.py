"""Records of customers: profiles, logins, addresses, and customers as their store's owner sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from comanda.basics import Money


@dataclass(frozen=True, slots=True)
class Consents:
    """A customer's consents; ``…_at`` is when it was last given or withdrawn, null if it never was."""

    marketing_email: bool
    marketing_email_at: datetime | None
    marketing_sms: bool
    marketing_sms_at: datetime | None
    marketing_push: bool
    marketing_push_at: datetime | None
    terms: bool
    terms_at: datetime | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A customer's profile. ``email_verified`` and ``phone_verified`` are whether the current values were proven.

    ``orders_count`` does not include cancelled orders.
    """

    id: int
    name: str | None
    email: str | None
    email_verified: bool
    phone: str | None
    phone_verified: bool
    birthday: date | None
    locale: str | None
    consents: Consents
    orders_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CustomerSession:
    """A token for this device, its customer, and whether the customer is new to the store."""

    token: str
    customer: Profile
    created: bool


@dataclass(frozen=True, slots=True)
class SavedAddress:
    """A saved address; ``address`` is the whole address in one line, as orders store it."""

    id: int
    label: str | None
    address: str
    line1: str
    line2: str | None
    city: str | None
    region: str | None
    postcode: str | None
    country: str | None
    lat: float | None
    lng: float | None
    instructions: str | None
    is_default: bool


@dataclass(frozen=True, slots=True)
class Contact:
    """A customer of a store.

    ``orders_count`` does not include cancelled orders; ``total_spent`` is what was paid for the others, less refunds.
    """

    id: int
    name: str | None
    email: str | None
    phone: str | None
    orders_count: int
    total_spent: Money
    last_order_at: datetime | None
    consents: Consents
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DetailedContact(Contact):
    """A customer in detail; ``has_account`` is whether they can log in."""

    birthday: date | None
    locale: str | None
    has_account: bool
    addresses: Sequence[SavedAddress]


@dataclass(frozen=True, slots=True)
class SavedLines:
    """The lines of a customer's cart as the page has them, and the version of the cart."""

    lines: Sequence[Mapping[str, Any]]
    version: int


@dataclass(frozen=True, slots=True)
class PastLine:
    """A line of a past order as the page's cart has it, with its name, choices and price as of then."""

    item: int
    variation: int | None
    extras: Sequence[int]
    quantity: int
    note: str
    name: str
    details: str
    unit_minor: int


@dataclass(frozen=True, slots=True)
class PastOrder:
    """A past order with what is needed to order it again; ``track_token`` is null when its page may be gone."""

    number: int
    type: str
    status: str
    placed_at: datetime
    total_minor: int
    currency: str
    track_token: str | None
    lines: Sequence[PastLine]
