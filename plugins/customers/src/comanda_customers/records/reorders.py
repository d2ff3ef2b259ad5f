"""Records of drafts for ordering a past order again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from comanda.basics import Money
from pydantic import Field


@dataclass(frozen=True, slots=True)
class ReorderLine:
    """A line as it can be ordered now; item_id, quantity, variation, extras and note are as in an order's line."""

    item_id: int
    name: str
    quantity: int
    variation: int | None
    variation_name: str | None
    extras: Sequence[int]
    extra_names: Sequence[str]
    note: str | None
    unit_price: Annotated[Money, Field(description="With extras, in currency.")]
    line_total: Money


@dataclass(frozen=True, slots=True)
class ReorderMessage:
    """A message about the draft for the customer; ``path`` is the field that it is about."""

    type: str
    code: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ReorderDraft:
    """The part of a past order that is available now, at current prices. Nothing has been ordered or reserved."""

    order_id: int
    type: str | None
    currency: str
    items: Sequence[ReorderLine]
    subtotal: Money
    total: Annotated[Money, Field(description="With taxes and charges, without delivery and tip.")]
    messages: Sequence[ReorderMessage]
