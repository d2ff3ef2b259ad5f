"""Records of menus beside ``contracts.menu_items``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from comanda.basics.money import Money
from comanda.contracts.requests.fields import Name
from comanda.contracts.stores.menu_items import ID, Column, Item, Position
from comanda.contracts.stores.verticals import Orderability, Vertical


@dataclass(frozen=True, slots=True)
class MenuCategory:
    """A category of a menu, without its items."""

    id: Annotated[int, ID]
    name: Annotated[str, Column(Name, is_public=True)]
    position: Annotated[int, Column(Position, 0)]
    is_active: Annotated[bool, Column(bool, True)]


@dataclass(frozen=True, slots=True)
class CategorySummary(MenuCategory):
    """A category and how many items it has, also how many of them are hidden or sold out.

    Hidden ones do not count as sold out.
    """

    items_count: int
    hidden_count: int
    sold_out_count: int


@dataclass(frozen=True, slots=True)
class SoldOutFlag:
    """Whether an item is sold out now, and until when; null for good."""

    id: int
    is_sold_out: bool
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of an item; ``stock`` is null if it is not counted."""

    id: int
    item_id: int
    name: str
    sku: str | None
    barcode: str | None
    options: Mapping[str, str]
    price: Money
    compare_at_price: Money | None
    stock: int | None
    is_active: bool
    position: int


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A price before and after: of an item, or of its variation or extra, whose name is the ``choice``."""

    item_id: int
    variation_id: int | None
    extra_id: int | None
    name: str
    choice: str | None
    old_price: Money
    new_price: Money


@dataclass(frozen=True, slots=True)
class PriceChanges:
    """The prices that change, or that would change; at most 500 ``changes`` are listed."""

    preview: bool
    checksum: str
    items_count: int
    prices_count: int
    changes: Sequence[PriceChange]


@dataclass(frozen=True, slots=True)
class StoreItem:
    """An item with what its JSON depends on: the store's vertical, None if it is not installed, and its currency.

    ``orderability`` is None for an item without fields that limit when it can be ordered.
    """

    item: Item
    vertical: Vertical | None
    currency: str
    orderability: Orderability | None
