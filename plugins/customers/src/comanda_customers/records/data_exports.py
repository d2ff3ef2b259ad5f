"""Records of a data export: all data that a store has about a customer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from comanda.orders import Order

from comanda_customers.records.customers import Profile, SavedAddress, SavedLines


@dataclass(frozen=True, slots=True)
class Device:
    """A device that the customer logged in on, or a browser in which they are signed in on the store's page."""

    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class GuestNotes:
    """The store's guest record of the customer: totals and tags."""

    name: str | None
    phone: str | None
    email: str | None
    tags: Sequence[str]
    visits: int
    orders: int
    first_seen_at: datetime | None
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class DataExport:
    """All data that a store has about a customer; ``records`` are what plugins keep beside orders, by their names."""

    exported_at: datetime
    profile: Profile
    addresses: Sequence[SavedAddress]
    devices: Sequence[Device]
    guest: Sequence[GuestNotes]
    cart: SavedLines
    orders: Sequence[Order]
    records: Mapping[str, Sequence[Mapping[str, Any]]]
