"""Schemas of shifts and cash movements. Amounts are in major units, such as euros."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Amount, Body, Id, Name, ShortText, Text, example
from comanda.contracts.wire import MoneyNumber, StoreId
from pydantic import BaseModel, Field

from comanda_drawer.models import MovementKind, ShiftStatus

Drawer = Annotated[Name, Field(max_length=50)]
Note = Annotated[Text, Field(max_length=500)]


class ShiftBody(Body):
    """A drawer to open, and the ``opening_float``: the cash in it at the start."""

    drawer: Drawer
    opening_float: Amount


class MovementBody(Body):
    """Cash put in or taken out, or with ``no_sale`` a drawer that was opened without either."""

    model_config = example({"kind": "paid_in", "amount": 50.0, "note": "Change from the bank"})

    kind: Literal[MovementKind.PAID_IN, MovementKind.PAID_OUT, MovementKind.NO_SALE]
    amount: Amount | None = None
    note: Note | None = None


class DriverCashBody(Body):
    """Cash that a driver hands in: all they hold, unless an ``amount`` is given."""

    driver_id: Id
    amount: Amount | None = None
    note: Note | None = None


class CloseBody(Body):
    """The cash ``counted`` in the drawer."""

    model_config = example({"counted": 250.0, "note": "Two coins short"})

    counted: Amount
    note: Note | None = None


class ShiftQuery(BaseModel):
    """Filters for shifts: by status and by drawer."""

    status: ShiftStatus | None = None
    drawer: Annotated[ShortText, Field(max_length=50)] | None = None


class ShiftOut(BaseModel):
    """A shift of a drawer.

    ``expected`` is the sum of its movements, so far or at closing. ``counted`` and ``difference`` are null until then.
    ``opened_by`` and ``closed_by`` identify a caller, such as ``staff:12``.
    """

    id: int
    restaurant_id: StoreId
    drawer: str
    status: ShiftStatus
    currency: str
    opened_by: str
    opened_at: datetime
    opening_float: MoneyNumber
    expected: MoneyNumber
    closed_by: str | None
    closed_at: datetime | None
    counted: MoneyNumber | None
    difference: MoneyNumber | None
    note: str | None


class MovementOut(BaseModel):
    """Cash that entered a drawer, or left it if ``amount`` is negative, with its payment or refund.

    ``driver_id`` is the driver who handed in cash of deliveries.
    """

    id: int
    shift_id: int | None
    kind: MovementKind
    amount: MoneyNumber
    currency: str
    order_id: int | None
    payment_id: int | None
    refund_id: int | None
    driver_id: int | None
    actor: str
    note: str | None
    booked_at: datetime


class Total(BaseModel):
    """The number of movements of a kind, and their sum."""

    count: int
    amount: MoneyNumber


class Summary(BaseModel):
    """The totals of a shift by kind of movement; the amounts add up to ``expected``."""

    opening: Total
    paid_in: Total
    paid_out: Total
    no_sale: Total
    payment: Total
    refund: Total
    driver_cash: Total


class ShiftWhole(ShiftOut):
    """A shift with its totals so far and its newest 100 movements, newest first."""

    summary: Summary
    movements: list[MovementOut]
