"""Bodies of amendments, which owners and staff send alike."""

from typing import Annotated

from pydantic import Field, field_validator

from comanda.contracts.orders.bodies import LineBody, Seat, TableNumber
from comanda.contracts.requests.fields import Amount, Body, Count, Id, Percent, ShortText, Text, example

Reason = Annotated[ShortText, Field(min_length=1, max_length=200)]


class ExcessRefundBody(Body):
    """How to refund what was paid above the new total: `{}` for where it came from.

    ``method`` is what a share of a blocked or expired gift card goes to instead. ``drawer`` is the cash drawer that
    cash comes from, if the store has several.
    """

    method: Annotated[ShortText, Field(max_length=30)] | None = None
    drawer: Annotated[ShortText, Field(max_length=50)] | None = None


class LoweringBody(Body):
    """What may make an order cost less than was paid for it: refused without ``refund``."""

    refund: ExcessRefundBody | None = None


class AddLinesBody(Body):
    """A round to add to an order."""

    model_config = example({"items": [{"item_id": 1, "quantity": 2}]})

    items: Annotated[list[LineBody], Field(min_length=1, max_length=200)]


class VoidBody(LoweringBody):
    """What to take off a line: a quantity, or all of it. ``restock`` gives its stock back."""

    model_config = example({"quantity": 1, "reason": "Ordered by mistake"})

    quantity: Annotated[Count, Field(ge=1)] | None = None
    reason: Reason
    restock: bool = True


class LineChangeBody(Body):
    """The note, the seat or the course of a line; what is left out stays, null clears it."""

    model_config = example({"note": "No onions"})

    note: Text | None = None
    seat: Seat | None = None
    course: Seat | None = None


class DiscountBody(LoweringBody):
    """A discount on the order or on a line: a percentage of its price, or an amount. A percentage of 100 is a comp."""

    model_config = example({"percent": 10, "reason": "Waited too long"})

    percent: Percent | None = None
    amount: Annotated[Amount, Field(gt=0)] | None = None
    line_id: Id | None = None
    reason: Reason


class MergeBody(LoweringBody):
    """The order whose lines and payments the other one takes over."""

    model_config = example({"order_id": 1025})

    order_id: Id


class SplitLineBody(Body):
    """A quantity of a line, or all of it."""

    line_id: Id
    quantity: Annotated[Count, Field(ge=1)] | None = None


class OrderSplitBody(LoweringBody):
    """The lines that become an order of their own."""

    model_config = example({"lines": [{"line_id": 5120, "quantity": 1}]})

    lines: Annotated[list[SplitLineBody], Field(min_length=1, max_length=200)]

    @field_validator("lines")
    @classmethod
    def _names_each_once(cls, lines: list[SplitLineBody]) -> list[SplitLineBody]:
        if len({line.line_id for line in lines}) < len(lines):
            raise ValueError("must list each line once")
        return lines


class ReopenBody(Body):
    """Why a paid order is opened again."""

    model_config = example({"reason": "Paid by mistake"})

    reason: Reason


class MoveBody(LoweringBody):
    """The table to move an order to, or the type that it becomes."""

    model_config = example({"table_number": "12"})

    table_number: TableNumber | None = None
    type: Annotated[str, Field(max_length=30)] | None = None
