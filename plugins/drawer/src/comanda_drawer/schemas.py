"""Bodies and filters of requests about shifts and cash movements. Amounts are in major units, such as euros."""

from typing import Annotated, Literal

from comanda.contracts import Amount, Body, Id, Name, ShortText, Text, example
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
