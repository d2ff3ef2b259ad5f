"""Records of tool hire, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from comanda.money import Money


@dataclass(frozen=True, slots=True)
class Booking:
    """Pieces of a tool that an order has for some days; ``returned_on`` is None while they are out or expected."""

    order_id: int
    item_id: int
    tool_name: str
    pieces: Sequence[int]
    first_day: date
    last_day: date
    returned_on: date | None


@dataclass(frozen=True, slots=True)
class Return:
    """The return of all tools of an order. ``late_fee`` is zero for one in time; ``amount_due`` is still to pay."""

    order_id: int
    returned_on: date
    late_days: int
    late_fee: Money
    amount_due: Money


@dataclass(frozen=True, slots=True)
class FreeTool:
    """A tool with how many of its pieces are free on every day asked for, and what one costs for all of them."""

    item_id: int
    name: str
    pieces: int
    free: int
    daily_price: Money
    price: Money


@dataclass(frozen=True, slots=True)
class FreeTools:
    """The tools of a shop for some days."""

    shop: str
    currency: str
    days: int
    tools: Sequence[FreeTool]
