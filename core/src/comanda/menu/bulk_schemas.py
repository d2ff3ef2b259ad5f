"""Bodies and answers of changes to many items at once, and the filters of items."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, Field

from comanda.contracts.requests.fields import Amount, Body, ExactBody, ExactNumber, Id, Moment, ShortText, example
from comanda.contracts.stores.menu_items import Item
from comanda.menu.columns import create_bulk_body
from comanda.menu.schemas import ItemFields

MAX_BULK_ITEMS: Final = 10_000
ItemIds = Annotated[list[Id], Field(min_length=1, max_length=MAX_BULK_ITEMS)]
CategoryIds = Annotated[list[Id], Field(min_length=1, max_length=1000)]
RulePercent = Annotated[ExactNumber, Field(gt=-100, le=1000)]
Step = Annotated[Amount, Field(gt=0)]


class ItemAvailability(StrEnum):
    """Whether guests can order an item: yes, not at present, or not at all because it is hidden."""

    AVAILABLE = "available"
    SOLD_OUT = "sold_out"
    HIDDEN = "hidden"


class ItemListQuery(BaseModel):
    """Filters of items. ``search`` are words of names and descriptions, or the beginning of a SKU or barcode."""

    search: ShortText | None = None
    category_id: Id | None = None
    availability: ItemAvailability | None = None


class ItemSelection(ExactBody):
    """The items to change."""

    item_ids: ItemIds


@create_bulk_body(Item)
class ItemsChange(ItemSelection, ItemFields):
    """Fields to change in all these items; fields left out stay as they are. ``until`` ends ``is_sold_out``."""

    model_config = example({"item_ids": [1], "is_sold_out": True, "until": "2030-01-01T06:00:00Z"})

    category_id: Id | None = None
    until: Moment | None = None


class ItemsDeletion(Body):
    """The items to delete."""

    model_config = example({"item_ids": [1]})

    item_ids: ItemIds


class ChangedItems(BaseModel):
    """How many items were changed or deleted."""

    items_count: int


class PriceRuleBody(ExactBody):
    """How prices change: by ``percent`` or by an ``amount``, or only to round them.

    ``round_to`` is the step to round to, ``minus`` is taken off afterwards: 1 and 0.01 end prices in .99.
    """

    percent: RulePercent | None = None
    amount: ExactNumber | None = None
    round_to: Step | None = None
    minus: Amount = 0

    @property
    def has_rule(self) -> bool:
        """Whether prices change at all."""
        return any(value is not None for value in (self.percent, self.amount, self.round_to))


class PriceChangeBody(PriceRuleBody):
    """How to change prices: by ``percent`` or by an ``amount``, or only to round them.

    ``round_to`` is the step to round to, ``minus`` is taken off afterwards: 1 and 0.01 end prices in .99. Without
    ``item_ids`` and ``category_ids`` the whole menu changes. With ``preview`` the changes are only reported;
    ``checksum`` of a preview makes sure that the same changes are applied.
    """

    model_config = example({"percent": 5, "round_to": 0.5, "preview": True})

    item_ids: ItemIds | None = None
    category_ids: CategoryIds | None = None
    variations: bool = True
    extras: bool = False
    preview: bool = False
    checksum: Annotated[ShortText, Field(max_length=64)] | None = None


class PositionsBody(Body):
    """The new order of categories, or of items of one category. Those that are not listed keep their places."""

    model_config = example({"item_ids": [1]})

    category_ids: CategoryIds | None = None
    item_ids: ItemIds | None = None


class SortedMenu(BaseModel):
    """How many categories or items have a new position."""

    moved_count: int
