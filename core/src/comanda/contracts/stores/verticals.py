"""Verticals: a store's type, its capabilities, and the item fields that those add."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from pydantic import BaseModel

# What an item's fields of one capability are stored as, and shown.
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Orderability:
    """Whether an item can be ordered at a moment, and the next moment at which that changes; None if it never does."""

    is_orderable: bool
    changes_at: datetime | None = None


ALWAYS_ORDERABLE: Final = Orderability(True)
OrderableAt = Callable[[Values, ZoneInfo, datetime], Orderability]


class StoreKey(Protocol):
    """What identifies a store."""

    @property
    def id(self) -> int:
        """The store's id."""

    @property
    def owner_id(self) -> int:
        """The id of its owner."""


class VerticalGroup(StrEnum):
    """The family a vertical belongs to."""

    FOOD = "food"
    GOODS = "goods"
    SERVICES = "services"
    STAYS = "stays"


class MenuKind(StrEnum):
    """What guests call all that a store sells; pages for them have a sentence for each kind."""

    MENU = "menu"
    PRODUCTS = "products"
    PARTS = "parts"
    SERVICES = "services"


MENU_KIND_BY_GROUP: Mapping[VerticalGroup, MenuKind] = {
    VerticalGroup.FOOD: MenuKind.MENU,
    VerticalGroup.GOODS: MenuKind.PRODUCTS,
    VerticalGroup.SERVICES: MenuKind.SERVICES,
    VerticalGroup.STAYS: MenuKind.MENU,
}


# The capabilities that the platform knows by name. A store's `vertical.capabilities` tells each of them, true or false;
# plugins bring the features behind them and may add names of their own through `register_item_capabilities`.
KNOWN_CAPABILITIES = (
    "modifiers",
    "dietary",
    "kds",
    "tables",
    "variants",
    "stock",
    "brand",
    "fitment",
    "age_gate",
    "expiry",
    "reservations",
    "rooms",
    "shipping",
    "appointments",
)


@dataclass(frozen=True, slots=True)
class ItemCapability:
    """Item fields that come with a capability.

    ``fields`` is a pydantic model in which every field has a default; its values are kept with the item and stand in
    its record under their own names. ``saved`` is called in the transaction that wrote an item whose values changed,
    for a plugin that also keeps them in tables of its own. ``orderable_at(values, zone, moment)`` returns whether an
    item can be ordered at a moment and when that changes, such as at the end of its last day of use in the store's time
    zone; it is called only for items that have one of the fields.
    ``facts(values)`` returns what guests read about an item that they look at closely, each a few words in the language
    of the page. ``guest_facts(values, cookies)`` returns those that depend on the guest, of whom only the browser's
    cookies are known, such as whether an item fits the car that they have chosen; they come first.
    ``badges(values)`` returns what they read wherever the item is listed. ``price_facts(values, variation, currency)``
    returns what has to be read beside its price, or beside that of the variation of this name, such as what a kilogram
    costs; prices are numbers in the currency, and ``variation`` is None where the item is listed. ``flags`` are what
    guests can filter a menu by, as labels by name, and ``list_flags(values)`` returns the names of those that hold for
    an item.
    ``line_facts(values, variation, extras)`` returns what staff need to know of an order's line, given the names of its
    choices, as codes by field, such as ``{"allergens": ["milk"]}``. ``words`` are the names of such fields and codes,
    and of fields of orders that the kitchen must read, marked for translation; ``actors`` are those of them that keep
    who did something, as ``Caller.actor``, whose name is read. ``table(values)`` returns rows of a table that guests
    can unfold below the label of the capability, by their names, and ``schema_org(values)`` properties of the item for
    search engines; both are empty for an item without. ``is_folded`` keeps the fields folded in the form of an item.
    Values are the fields of an item as guests get them; to ``line_facts`` they are the stored ones.
    """

    code: str
    label: str
    fields: type[BaseModel]
    saved: Callable[[StoreKey, int, Values], Awaitable[None]] | None = None
    orderable_at: OrderableAt | None = None
    facts: Callable[[Values], Sequence[str]] | None = None
    guest_facts: Callable[[Values, Mapping[str, str]], Sequence[str]] | None = None
    badges: Callable[[Values], Sequence[str]] | None = None
    price_facts: Callable[[Values, str | None, str], Sequence[str]] | None = None
    flags: Mapping[str, str] = dataclass_field(default_factory=dict)
    list_flags: Callable[[Values], Collection[str]] | None = None
    line_facts: Callable[[Values, str | None, Sequence[str]], Mapping[str, Sequence[str]]] | None = None
    words: Mapping[str, str] = dataclass_field(default_factory=dict)
    actors: frozenset[str] = frozenset()
    table: Callable[[Values], Mapping[str, str]] | None = None
    schema_org: Callable[[Values], Mapping[str, Any]] | None = None
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class Vertical:
    """A store type. ``capabilities`` and ``fulfillment_modes`` are codes that must be declared somewhere.

    ``menu_kind`` is what guests call all that such a store sells; without one it is that of the group.
    """

    store_type: str
    label: str
    group: VerticalGroup
    capabilities: tuple[str, ...]
    fulfillment_modes: tuple[str, ...]
    menu_kind: MenuKind | None = None

    @property
    def known_menu_kind(self) -> MenuKind:
        """What guests call all that such a store sells."""
        return self.menu_kind or MENU_KIND_BY_GROUP[self.group]
