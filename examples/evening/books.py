"""The script's own books: what the answers told it, against which the server's are held. Amounts are in cents."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evening.client import Api
from evening.plan import Dish, PlannedOrder

# How far lines are once their order as a whole was set to a status; those of a cancelled order are forgotten.
AFTERWARDS = {"new": "queued", "delivered": "served", "completed": "served"}
SERVED_IN_THE_HOUSE = frozenset({"on-table", "room_service"})


def cents(amount: float | str) -> int:
    """Return an amount of the wire in cents."""
    return round(float(amount) * 100)


def amount(value: int) -> float:
    """Return cents as the wire has them."""
    return value / 100


def half_up(value: int, parts: int) -> int:
    """Return one of so many parts, rounded half up."""
    return (2 * value + parts) // (2 * parts)


@dataclass(slots=True)
class Payment:
    """A tender that was taken."""

    id: int
    method: str
    amount: int
    tip: int


@dataclass(slots=True)
class Refund:
    """Money that went back."""

    id: int
    amount: int


@dataclass(slots=True)
class Line:
    """A line of an order, and how far the kitchen is with it."""

    item_id: int
    quantity: int
    total: int
    state: str = "queued"
    began_at: float = 0.0


@dataclass(slots=True)
class Order:
    """An order: what was planned of it, and what has become of it."""

    planned: PlannedOrder
    store: "Store"
    id: int = 0
    total: int = 0
    tip: int = 0
    track_token: str = ""
    status: str = "new"
    delivery_status: str | None = None
    path: list[str] = field(default_factory=lambda: ["new"])
    lines: dict[int, Line] = field(default_factory=dict)
    payments: list[Payment] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)
    driver_id: int | None = None
    given: list[int] = field(default_factory=list)
    moves: Counter[str] = field(default_factory=Counter)
    restocked: Counter[int] = field(default_factory=Counter)
    was_recalled: bool = False
    is_over: bool = False
    # How many cooks have just asked to move one of its lines.
    in_the_pan: int = 0
    # One thing at a time is done to an order by those who carry it about; cooks do not wait for each other.
    hands: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_cooked: asyncio.Event = field(default_factory=asyncio.Event)
    is_with_guest: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def paid(self) -> int:
        """What was paid, tips of payments left out."""
        return sum(payment.amount for payment in self.payments)

    @property
    def refunded(self) -> int:
        """What went back."""
        return sum(refund.amount for refund in self.refunds)

    @property
    def left(self) -> int:
        """What is still to pay."""
        return self.total - self.paid

    def become(self, status: str) -> None:
        """Note the order's status, if it is another one."""
        if status == self.status:
            return
        self.status = status
        self.path.append(status)
        if status in {"ready", "delivered", "cancelled"}:
            self.is_cooked.set()
        if status in AFTERWARDS:
            for line in self.lines.values():
                line.state = AFTERWARDS[status]
        if status in {"delivered", "cancelled"}:
            self.is_with_guest.set()
        if status == "new":
            # It was called off, and is wanted after all.
            self.is_cooked.clear()
            self.is_with_guest.clear()

    @property
    def has_plain_path(self) -> bool:
        """Tell whether no two things were done to it at once that may have come in either order."""
        return not self.was_recalled and "cancelled" not in self.path

    def move_line(self, line_id: int, state: str) -> None:
        """Note how far a line is, and what that makes of the order."""
        # An answer that comes late tells of a state that the order's end has put an end to.
        if self.status not in {"cancelled", "completed", "delivered"}:
            self.lines[line_id].state = state
            self.become(self._status_of_lines())

    def _status_of_lines(self) -> str:
        states = {line.state for line in self.lines.values()}
        if states == {"queued"}:
            return "new"
        if states == {"served"}:
            return "delivered" if self.planned.mode in SERVED_IN_THE_HOUSE else "ready"
        return "ready" if states <= {"ready", "served"} else "preparing"


@dataclass(slots=True)
class Shift:
    """A shift of a drawer: its cash, and which payments and refunds it came and went with."""

    id: int
    float_: int
    movements: Counter[str] = field(default_factory=Counter)
    counted: int | None = None
    payment_ids: set[int] = field(default_factory=set)
    refund_ids: set[int] = field(default_factory=set)

    @property
    def expected(self) -> int:
        """What should be in the drawer."""
        return self.float_ + self.movements.total()


@dataclass(slots=True)
class Till:
    """A drawer, who works at it, and its shifts, the last one open."""

    drawer: str
    cashier: Api
    shifts: list[Shift] = field(default_factory=list)
    # A cashier does one thing at a time, and so never takes cash while they count.
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Purse:
    """A gift card, or a customer's credit."""

    id: int
    initial: int
    balance: int
    code: str | None = None
    entries: int = 1


@dataclass(slots=True)
class Customer:
    """Somebody who orders in the store's app."""

    id: int
    api: Api
    credit: Purse


@dataclass(slots=True)
class Driver:
    """Somebody who brings orders; with a ``store_id`` only those of that store."""

    id: int
    api: Api
    store_id: int | None


@dataclass(slots=True)
class Item:
    """Something on the menu. ``stock`` is what there was to begin with, None where it is not counted."""

    id: int
    dish: Dish
    stock: int | None
    is_scarce: bool = False
    is_changing: bool = False
    sold_out_at: float | None = None
    back_at: float = 0.0

    def may_be_sold_out(self, since: float) -> bool:
        """Tell whether this was, or may have been, sold out at some moment after ``since``."""
        return self.is_scarce or self.is_changing or self.back_at >= since


@dataclass(slots=True)
class Store:
    """A store, who works there, and what it has."""

    id: int
    title: str
    modes: tuple[str, ...]
    has_kitchen: bool
    items: list[Item] = field(default_factory=list)
    manager: Api | None = None
    waiters: list[Api] = field(default_factory=list)
    cooks: list[Api] = field(default_factory=list)
    tills: list[Till] = field(default_factory=list)
    cards: list[Purse] = field(default_factory=list)
    customers: list[Customer] = field(default_factory=list)
    storefront: Api | None = None
    fee: int = 0
    driver_pay: int = 0
    makes_offers: bool = False
    toggles: int = 0
    before: dict[str, Any] = field(default_factory=dict)
    orders_before: int = 0


@dataclass(slots=True)
class Books:
    """Everything that was noted in one evening."""

    owner: Api
    stores: list[Store] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    by_id: dict[int, Order] = field(default_factory=dict)
    endpoint_id: int = 0
    operations: set[str] = field(default_factory=set)
    # What drivers took at doors and have not handed in, by store and driver.
    driver_cash: Counter[tuple[int, int]] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    refused_claims: int = 0
    accepted_offers: int = 0
    rejected_offers: int = 0
    refused_bumps: int = 0
    refused_orders: int = 0
    repeats: int = 0

    def note(self, order: Order) -> None:
        """Note an order that was placed."""
        self.by_id[order.id] = order

    def differ(self, sentence: str) -> None:
        """Note that something is not as it should be."""
        self.differences.append(sentence)

    def placed(self, store: Store | None = None) -> Iterable[Order]:
        """Return the orders that were placed, those of one store or all."""
        return [order for order in self.by_id.values() if store is None or order.store is store]
