"""Records of tool hire, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from comanda.basics import Money
from pydantic import Field


@dataclass(frozen=True, slots=True)
class Booking:
    """Pieces of a tool that an order has for some days; ``returned_on`` is null while they are out or expected."""

    order_id: int
    item_id: int
    tool_name: str
    pieces: Sequence[int]
    first_day: date
    last_day: date
    returned_on: date | None


@dataclass(frozen=True, slots=True)
class Return:
    """A return, with the late fee that was added to the order and what is now due of it."""

    order_id: int
    returned_on: date
    late_days: int
    late_fee: Money
    amount_due: Money


@dataclass(frozen=True, slots=True)
class FreeTool:
    """A tool, and how many of its pieces are free on every day asked for."""

    item_id: Annotated[int, Field(description="The item_id for an order's line.")]
    name: str
    pieces: Annotated[int, Field(description="How many the shop has.")]
    free: Annotated[int, Field(description="How many can be booked for all these days.")]
    daily_price: Annotated[Money, Field(description="For one piece and one day, in the result's currency.")]
    price: Annotated[Money, Field(description="For one piece and all these days, without the deposit.")]


@dataclass(frozen=True, slots=True)
class FreeTools:
    """The tools of a shop for some days."""

    shop: str
    currency: str
    days: int
    tools: Sequence[FreeTool]
