"""The program's own ledger of the answers it received, to compare with the server's. Amounts are in cents."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evening.client import Api
from evening.plan import Dish, PlannedOrder

# The state of lines after their whole order was set to a status; those of a cancelled order are ignored.
LINE_STATES_BY_STATUS = {"new": "queued", "delivered": "served", "completed": "served"}
IN_HOUSE_MODES = frozenset({"on-table", "room_service"})


def to_cents(amount: float | str) -> int:
    """Return an amount of the API in cents."""
    return round(float(amount) * 100)


def amount(value: int) -> float:
    """Return cents as an amount of the API."""
    return value / 100


def divide_half_up(value: int, parts: int) -> int:
    """Return a value divided into equal parts, rounded half up."""
    return (2 * value + parts) // (2 * parts)


@dataclass(slots=True)
class Payment:
    """A payment that was taken."""

    id: int
    method: str
    amount: int
    tip: int


@dataclass(slots=True)
class Refund:
    """Money that was refunded."""

    id: int
    amount: int


@dataclass(slots=True)
class Line:
    """A line of an order and its state in the kitchen."""

    item_id: int
    quantity: int
    total: int
    state: str = "queued"
    began_at: float = 0.0


@dataclass(slots=True)
class Order:
    """An order as planned and as executed so far."""

    planned: PlannedOrder
    store: "Store"
    id: int = 0
    total: int = 0
    created_total: int = 0
    tip: int = 0
    table: str | None = None
    track_token: str = ""
    is_split_off: bool = False
    status: str = "new"
    delivery_status: str | None = None
    path: list[str] = field(default_factory=lambda: ["new"])
    lines: dict[int, Line] = field(default_factory=dict)
    payments: list[Payment] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)
    driver_id: int | None = None
    assigned_drivers: list[int] = field(default_factory=list)
    moves: Counter[str] = field(default_factory=Counter)
    restocked: Counter[int] = field(default_factory=Counter)
    # What was voided and not put back.
    dropped: Counter[int] = field(default_factory=Counter)
    # Percentages taken off a line, or off all of them.
    discounts: list[tuple[int | None, int]] = field(default_factory=list)
    amendments: int = 0
    times_reopened: int = 0
    is_merged: bool = False
    was_recalled: bool = False
    # Whether the answer to a bump was lost, so that others may have learnt of it first.
    has_lost_answers: bool = False
    is_over: bool = False
    # Bumps of its lines that are in progress.
    pending_bumps: int = 0
    # Whether its lines are moving to another order, so that cooks wait.
    is_moving: bool = False
    # Waiters and drivers change an order one at a time; cooks do not wait for each other.
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_cooked: asyncio.Event = field(default_factory=asyncio.Event)
    is_with_guest: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def paid(self) -> int:
        """The amount paid, without tips of payments."""
        return sum(payment.amount for payment in self.payments)

    @property
    def refunded(self) -> int:
        """The amount refunded."""
        return sum(refund.amount for refund in self.refunds)

    @property
    def left(self) -> int:
        """The amount still to pay."""
        return max(0, self.total - self.paid)

    @property
    def is_paid(self) -> bool:
        """Whether its total was ever covered; one that was comped has nothing to cover."""
        return self.paid >= self.total and not self.is_merged

    def price(self, prices: Mapping[int, int]) -> int:
        """Return what it costs by the prices of items."""
        gross = {id: prices[line.item_id] * line.quantity for id, line in self.lines.items()}
        off = [
            divide_half_up((sum(gross.values()) if id is None else gross[id]) * rate, 100)
            for id, rate in self.discounts
        ]
        return sum(gross.values()) - sum(off) + self.tip

    def note(self, record: dict[str, Any]) -> None:
        """Record what the server says of an order that was placed or amended; lines keep their state in the kitchen."""
        self.id, self.track_token, self.delivery_status = record["id"], record["track_token"], record["delivery_status"]
        self.total, self.tip = to_cents(record["total"]), to_cents(record["tip_amount"])
        self.created_total = self.created_total or self.total
        known, self.lines = self.lines, {}
        for line in record["items"]:
            figures = (line["item_id"], line["quantity"], to_cents(line["line_total"]))
            before = known.get(line["id"])
            kitchen = () if before is None else (before.state, before.began_at)
            self.lines[line["id"]] = Line(*figures, *kitchen)
        self.discounts = [each for each in self.discounts if each[0] is None or each[0] in self.lines]

    def follow_lines(self) -> None:
        """Record the status that follows from the lines after an amendment, from which the kitchen goes on."""
        if not self.store.has_kitchen:
            return
        self.set_status(self._status_of_lines())
        if self.status in {"new", "preparing"}:
            self.is_cooked.clear()
            self.is_with_guest.clear()

    def set_status(self, status: str) -> None:
        """Record the order's status if it changed."""
        if status == self.status:
            return
        self.status = status
        self.path.append(status)
        if status in {"ready", "delivered", "cancelled"}:
            self.is_cooked.set()
        if status in LINE_STATES_BY_STATUS:
            for line in self.lines.values():
                line.state = LINE_STATES_BY_STATUS[status]
        if status in {"delivered", "cancelled"}:
            self.is_with_guest.set()
        if status == "new":
            # A cancelled order was reopened.
            self.is_cooked.clear()
            self.is_with_guest.clear()

    @property
    def has_plain_path(self) -> bool:
        """Whether no concurrent changes make the order of its statuses ambiguous."""
        is_changed = self.is_split_off or self.amendments > 0
        is_certain = not self.was_recalled and not self.has_lost_answers and not is_changed
        return is_certain and "cancelled" not in self.path

    def move_line(self, line_id: int, state: str) -> None:
        """Record a line's state and the status that follows for the order."""
        # A late answer may carry a state from before the order ended, or of a line that was voided meanwhile.
        if line_id in self.lines and self.status not in {"cancelled", "completed", "delivered"}:
            self.lines[line_id].state = state
            self.set_status(self._status_of_lines())

    def _status_of_lines(self) -> str:
        states = {line.state for line in self.lines.values()}
        if states == {"queued"}:
            return "new"
        if states == {"served"}:
            return "delivered" if self.planned.mode in IN_HOUSE_MODES else "ready"
        return "ready" if states <= {"ready", "served"} else "preparing"


@dataclass(slots=True)
class Shift:
    """A shift of a drawer with its cash movements, payments and refunds."""

    id: int
    float_: int
    movements: Counter[str] = field(default_factory=Counter)
    counted: int | None = None
    payment_ids: set[int] = field(default_factory=set)
    refund_ids: set[int] = field(default_factory=set)

    @property
    def expected(self) -> int:
        """The expected amount in the drawer."""
        return self.float_ + self.movements.total()


@dataclass(slots=True)
class Till:
    """A drawer with its cashier and its shifts, the last one open."""

    drawer: str
    cashier: Api
    shifts: list[Shift] = field(default_factory=list)
    # A cashier does one thing at a time and never takes cash while counting.
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class StoredValue:
    """A gift card or a customer's store credit."""

    id: int
    initial: int
    balance: int
    code: str | None = None
    entries: int = 1


@dataclass(slots=True)
class Customer:
    """A customer with an account in the store."""

    id: int
    api: Api
    credit: StoredValue


@dataclass(slots=True)
class Driver:
    """A driver; with a ``store_id`` only for that store."""

    id: int
    api: Api
    store_id: int | None


@dataclass(slots=True)
class Item:
    """A menu item. ``stock`` is the initial stock, None if it is not tracked."""

    id: int
    dish: Dish
    stock: int | None
    is_scarce: bool = False
    is_changing: bool = False
    sold_out_at: float | None = None
    back_at: float = 0.0

    def may_be_sold_out(self, since: float) -> bool:
        """Return whether the item may have been sold out at some time after ``since``."""
        return self.is_scarce or self.is_changing or self.back_at >= since


@dataclass(slots=True)
class Store:
    """A store with its staff, items and devices."""

    id: int
    title: str
    modes: tuple[str, ...]
    has_kitchen: bool
    items: list[Item] = field(default_factory=list)
    manager: Api | None = None
    approval_pin: str = ""
    waiters: list[Api] = field(default_factory=list)
    cooks: list[Api] = field(default_factory=list)
    tills: list[Till] = field(default_factory=list)
    cards: list[StoredValue] = field(default_factory=list)
    customers: list[Customer] = field(default_factory=list)
    storefront: Api | None = None
    fee: int = 0
    driver_pay: int = 0
    makes_offers: bool = False
    toggles: int = 0
    # Those whose answer was lost: each may have been made twice.
    repeated_toggles: int = 0
    before: dict[str, Any] = field(default_factory=dict)
    orders_before: int = 0


@dataclass(slots=True)
class EveningLedger:
    """Everything that was recorded in one evening."""

    owner: Api
    stores: list[Store] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    by_id: dict[int, Order] = field(default_factory=dict)
    endpoint_id: int = 0
    operations: set[str] = field(default_factory=set)
    # Cash that drivers have collected and not handed in, by store and driver.
    driver_cash: Counter[tuple[int, int]] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    refused_claims: int = 0
    accepted_offers: int = 0
    rejected_offers: int = 0
    refused_bumps: int = 0
    refused_orders: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    approvals: int = 0
    outages: int = 0
    repeats: int = 0

    def add_order(self, order: Order) -> None:
        """Add an order that was placed."""
        self.by_id[order.id] = order

    def add_difference(self, sentence: str) -> None:
        """Record a difference."""
        self.differences.append(sentence)

    def list_placed(self, store: Store | None = None) -> Iterable[Order]:
        """Return the placed orders of one store or all."""
        return [order for order in self.by_id.values() if store is None or order.store is store]
