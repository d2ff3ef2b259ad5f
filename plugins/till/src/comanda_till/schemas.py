"""Bodies of requests."""

from typing import Annotated

from comanda.contracts import Body, example
from pydantic import Field, StringConstraints

Words = Annotated[str, StringConstraints(max_length=300)]
AmountText = Annotated[str, StringConstraints(max_length=60)]


class ShownLine(Body):
    """A line that a guest sees: what it is, and what it costs as the till writes it."""

    label: Words
    amount: AmountText = ""


class ShownCheckBody(Body):
    """What a customer display shows: the lines of the check at hand, its sums, and the change.

    Texts and amounts are as the till shows them; without lines and sums the display greets the next guest.
    """

    model_config = example(
        {
            "lines": [{"label": "2 x Risotto", "amount": "€28.00"}],
            "sums": [{"label": "Total", "amount": "€28.00"}],
            "change": None,
        }
    )

    lines: Annotated[list[ShownLine], Field(max_length=200)] = []
    sums: Annotated[list[ShownLine], Field(max_length=20)] = []
    change: AmountText | None = None
