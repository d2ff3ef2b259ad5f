"""Bodies of requests about price lists, and the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from comanda.basics.money import Money
from comanda.contracts.requests.fields import Amount, ExactBody, ExactNumber, Id, ShortText, example
from comanda.contracts.stores.menu_items import Position
from comanda.contracts.time_windows import TimeWindow
from comanda.menu.bulk_schemas import PriceRuleBody, RulePercent, Step
from comanda.menu.price_lists.price_list import PriceChannel

MAX_WINDOWS: Final = 10
MAX_PRICES: Final = 2000
EXAMPLE: Final[dict[str, Any]] = {
    "name": "Happy hour",
    "valid_at": [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "16:00", "until": "18:00"}],
    "percent": -20,
    "round_to": 0.5,
}

ListName = Annotated[ShortText, Field(min_length=1, max_length=80)]
Modes = Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=30)]
Channels = Annotated[list[PriceChannel], Field(max_length=len(PriceChannel))]
Windows = Annotated[list[TimeWindow], Field(max_length=MAX_WINDOWS)]
Categories = Annotated[list[Id], Field(max_length=1000)]


class ListPriceBody(BaseModel):
    """What an item costs, or one of its variations."""

    item_id: Id
    variation: Id | None = None
    price: Amount


Prices = Annotated[list[ListPriceBody], Field(max_length=MAX_PRICES)]


class PriceListBody(PriceRuleBody):
    """A price list to create: a rule for the menu or some ``category_ids``, ``prices`` of items, or both.

    Empty ``modes``, ``channels`` and ``valid_at`` mean all and always. Of several lists for an item, the one with the
    lowest ``position`` counts.
    """

    model_config = example(EXAMPLE)

    name: ListName
    is_active: bool = True
    position: Position = 0
    modes: Modes = []
    channels: Channels = []
    valid_at: Windows = []
    category_ids: Categories = []
    prices: Prices = []


class PriceListChange(ExactBody):
    """Changes of a price list. Omitted fields stay as they are; null removes a part of the rule."""

    model_config = example({"percent": -25, "is_active": True})

    name: ListName | None = None
    is_active: bool | None = None
    position: Position | None = None
    modes: Modes | None = None
    channels: Channels | None = None
    valid_at: Windows | None = None
    percent: RulePercent | None = None
    amount: ExactNumber | None = None
    round_to: Step | None = None
    minus: Amount | None = None
    category_ids: Categories | None = None
    prices: Prices | None = None


@dataclass(frozen=True, slots=True)
class ListPrice:
    """What an item costs by a price list, or one of its variations."""

    item_id: int
    variation: int | None
    price: Money


@dataclass(frozen=True, slots=True)
class StorePriceList:
    """A price list: ``is_on`` is whether it holds now, and ``changes_at`` when that changes, if ever."""

    id: int
    name: str
    is_active: bool
    position: int
    modes: Sequence[str]
    channels: Sequence[PriceChannel]
    valid_at: Sequence[TimeWindow]
    percent: float | None
    amount: Money | None
    round_to: Money | None
    minus: Money
    category_ids: Sequence[int]
    prices: Sequence[ListPrice]
    is_on: bool
    changes_at: datetime | None
    created_at: datetime
