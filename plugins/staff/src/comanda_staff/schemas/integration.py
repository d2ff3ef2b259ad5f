"""Request body of sold-out items."""

from typing import Annotated

from comanda.contracts import Body, Count, Id, Moment, example
from pydantic import Field

Ids = Annotated[list[Id], Field(max_length=200)]


class SnoozeBody(Body):
    """Items and extras to mark as sold out, until a time or for some minutes, or as available (``snoozed`` false)."""

    model_config = example({"item_ids": [1], "minutes": 60, "snoozed": True})

    item_ids: Ids = []
    extra_ids: Ids = []
    until: Moment | None = None
    minutes: Annotated[Count, Field(ge=1, le=60 * 24 * 31)] | None = None
    snoozed: bool = True
