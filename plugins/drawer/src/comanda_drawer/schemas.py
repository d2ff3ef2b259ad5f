"""Shifts and movements of cash on the wire. Amounts are in the currency's own unit, such as euro."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Amount, Body, Id, Name, ShortText, Text, example
from pydantic import BaseModel, Field

from comanda_drawer.models import MovementKind, ShiftStatus

Drawer = Annotated[Name, Field(max_length=50)]
Note = Annotated[Text, Field(max_length=500)]


class ShiftBody(Body):
    """A drawer to open, and the ``opening_float``: the cash that is in it to begin with."""

    drawer: Drawer
    opening_float: Amount


class MovementBody(Body):
    """Cash that was put in or taken out, or with ``no_sale`` a drawer that was opened without either."""

    model_config = example({"kind": "paid_in", "amount": 50.0, "note": "Change from the bank"})

    kind: Literal[MovementKind.PAID_IN, MovementKind.PAID_OUT, MovementKind.NO_SALE]
    amount: Amount | None = None
    note: Note | None = None


class DriverCashBody(Body):
    """Cash that a driver hands in, all that they hold unless an ``amount`` is given."""

    driver_id: Id
    amount: Amount | None = None
    note: Note | None = None


class CloseBody(Body):
    """The cash that was ``counted`` in the drawer."""

    model_config = example({"counted": 250.0, "note": "Two coins short"})

    counted: Amount
    note: Note | None = None


class ShiftQuery(BaseModel):
    """Which shifts to list: those that are open or closed, those of one drawer."""

    status: ShiftStatus | None = None
    drawer: Annotated[ShortText, Field(max_length=50)] | None = None


class ShiftOut(BaseModel):
    """A shift of a drawer.

    ``expected`` is what its movements add up to, so far or when it was closed. ``counted`` and their ``difference`` are
    null until then. ``opened_by`` and ``closed_by`` name a caller as histories do, such as ``staff:12``.
    """

    id: int
    restaurant_id: int
    drawer: str
    status: ShiftStatus
    currency: str
    opened_by: str
    opened_at: datetime
    opening_float: float
    expected: float
    closed_by: str | None
    closed_at: datetime | None
    counted: float | None
    difference: float | None
    note: str | None


class MovementOut(BaseModel):
    """Cash that came into a drawer, or with a negative ``amount`` left it, and for which payment or refund.

    ``driver_id`` is who handed in cash of deliveries.
    """

    id: int
    shift_id: int | None
    kind: MovementKind
    amount: float
    currency: str
    order_id: int | None
    payment_id: int | None
    refund_id: int | None
    driver_id: int | None
    actor: str
    note: str | None
    booked_at: datetime


class Total(BaseModel):
    """How many movements of a kind there were, and what they add up to."""

    count: int
    amount: float


class Summary(BaseModel):
    """The totals of a shift by kind of movement; their amounts add up to ``expected``."""

    opening: Total
    paid_in: Total
    paid_out: Total
    no_sale: Total
    payment: Total
    refund: Total
    driver_cash: Total


class ShiftWhole(ShiftOut):
    """A shift with its totals so far, and its newest 100 movements, newest first."""

    summary: Summary
    movements: list[MovementOut]
