"""What a store's page requests: quotes, items and times."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

from comanda.contracts import Body, TableNumber, Text, example
from comanda.stores import LocalDate
from pydantic import BaseModel, Field


class Amount(BaseModel):
    """A line below the items, such as the service charge. ``text`` is the formatted amount."""

    label: str
    text: str


class LineState(StrEnum):
    """Whether a line can be ordered: ``gone`` is not on the menu, ``choices`` has options that are not available.

    ``sold_later`` is not sold at this time of day, or not yet.
    """

    OK = "ok"
    GONE = "gone"
    SOLD_OUT = "sold_out"
    SOLD_LATER = "sold_later"
    CHOICES = "choices"
    OTHER = "other"


class QuotedLine(BaseModel):
    """A line of an order. Without a price it cannot be ordered, and is not part of the total.

    ``unit_price`` is in minor units, ``price_label`` says how a plugin came to it, and ``sentences`` say what is wrong.
    """

    state: LineState
    unit_price: int | None = None
    text: str | None = None
    price_label: str | None = None
    sentences: list[str] = []


class QuotedCoupon(BaseModel):
    """The coupon that earned a discount, and the formatted discount."""

    code: str
    text: str


class Quoted(BaseModel):
    """The price of what can be ordered: its lines in the order sent, the amounts below them, and the total.

    ``problems`` are by field, without those of lines; ``reason`` is why a store takes no orders for the chosen time.
    With ``pays_online`` the order can be paid online, and with ``pays_first`` it has to be before it is made.
    """

    lines: list[QuotedLine]
    amounts: list[Amount]
    total: float
    total_text: str
    coupon: QuotedCoupon | None
    ready_at: datetime | None
    problems: dict[str, list[str]]
    reason: str | None
    next_open_at: datetime | None
    pays_online: bool
    pays_first: bool


class TableCodeBody(Body):
    """The table whose card a guest has read, and its code."""

    model_config = example({"table": "4", "code": "mVLz0fKu6bQ2xR1A"})

    table: TableNumber
    code: Annotated[Text, Field(max_length=64)]


class TableCheck(BaseModel):
    """An open check of a table. Its page and its payment page open with ``token``, and rounds are added with it."""

    token: str
    number: int
    due_text: str
    placed_at_text: str
    takes_rounds: bool


class Picture(BaseModel):
    """A picture of an item. One that ``is_external`` is on another host."""

    url: str
    srcset: str | None
    alt: str
    is_external: bool


class ItemDetails(BaseModel):
    """An item as its dialog shows it. Prices are in minor units."""

    id: int
    name: str
    description: str | None
    price: int
    is_sold_out: bool
    facts: list[str]
    pictures: list[Picture]
    variations: list[dict[str, Any]]
    groups: list[dict[str, Any]]


class TimesQuery(BaseModel):
    """The day of the times to list; by default the first with any."""

    date: LocalDate | None = None


class FreeTime(BaseModel):
    """A time for which guests can order."""

    starts_at: datetime
    is_free: bool


class OrderTimes(BaseModel):
    """The times of a day for which guests can order, and the days that have any."""

    days: list[date]
    slots: list[FreeTime]
