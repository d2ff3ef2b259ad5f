"""Orders as they were sold elsewhere, whatever the platform."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from comanda.contracts import PaymentMethod


class LinkState(StrEnum):
    """What became of a platform's order here; ``IGNORED`` was none of the store's business when it was read."""

    WAITING = "waiting"
    PLACED = "placed"
    REJECTED = "rejected"
    IGNORED = "ignored"


class InvalidOrder(ValueError):
    """An order of a platform cannot be understood; the message says why, for the owner."""


@dataclass(frozen=True, slots=True)
class ForeignChannel:
    """A platform that sells orders of stores: ``code`` is the plugin's and the orders' source, ``name`` is for people.

    ``link_order`` links the row of an order there, as owner and id, to the order here, and returns 0 if that row was
    decided on meanwhile. It runs in the order's transaction.
    """

    code: str
    name: str
    payment_method: PaymentMethod
    link_order: Callable[[int, int, int], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class ForeignId:
    """An order of a platform: the id of its row here, and ``id`` there."""

    owner_id: int
    store_id: int
    link_id: int
    id: str


@dataclass(frozen=True, slots=True)
class OrderedOption:
    """A choice of an item: its reference and name, its price and how many of it one item has."""

    ref: str
    name: str
    price_minor: int
    quantity: int
    is_removed: bool


@dataclass(frozen=True, slots=True)
class OrderedItem:
    """An item of an order, with its price without options."""

    ref: str
    name: str
    price_minor: int
    quantity: int
    note: str
    options: tuple[OrderedOption, ...]

    @property
    def unit_price_minor(self) -> int:
        """The price of one with its options."""
        return self.price_minor + sum(option.price_minor * option.quantity for option in self.options)


@dataclass(frozen=True, slots=True)
class Fee:
    """A charge of an order, which may be negative; without ``tax_rate_ppm`` the platform does not know its tax."""

    name: str
    amount_minor: int
    is_delivery: bool
    is_taxed: bool
    tax_rate_ppm: int | None


@dataclass(frozen=True, slots=True)
class Guest:
    """Who ordered, and where to."""

    name: str
    phone: str
    address: str
    postcode: str
    position: tuple[float, float] | None
    delivery_note: str


@dataclass(frozen=True, slots=True)
class ForeignOrder:
    """An order as it was sold elsewhere; ``paid_minor`` of its total is collected.

    ``service_type`` is ``delivery``, ``collection``, ``eat_in`` or another word, which is refused. ``title`` is what
    people at the store call the order, such as ``Uber Eats 4F2A``. ``attributes`` are kept in its record here.
    """

    title: str
    service_type: str
    expected_at: datetime | None
    is_asap: bool
    total_minor: int
    paid_minor: int
    items: tuple[OrderedItem, ...]
    fees: tuple[Fee, ...]
    reductions: tuple[tuple[str, int], ...]
    guest: Guest
    note: str
    table_number: str
    attributes: Mapping[str, Any]
