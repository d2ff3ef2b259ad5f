"""References of a menu at platforms: SKUs where variations have them, and otherwise ids with a word before them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from comanda.contracts import Extra, ItemVariant, OfferedItem

from comanda_foreign_orders.records import InvalidOrder, OrderedItem, OrderedOption

MAX_EXTRAS: Final = 100
REF: Final = re.compile(r"(item|variation)-([0-9]{1,18})", re.ASCII)
EXTRA_REF: Final = re.compile(r"extra-([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class MatchedItem:
    """What an item of an order is on the menu: ``extras`` are ids, each as often as it was chosen."""

    item_id: int
    variant_id: int | None
    extras: tuple[int, ...]


def to_item_ref(item: OfferedItem) -> str:
    """Return the reference of an item without variations."""
    return f"item-{item.id}"


def to_variant_ref(variant: ItemVariant) -> str:
    """Return the reference of a variation."""
    return variant.sku or f"variation-{variant.id}"


def to_extra_ref(extra: Extra) -> str:
    """Return the reference of an extra."""
    return f"extra-{extra.id}"


class MenuRefs:
    """The items of a menu by what platforms call them."""

    def __init__(self, items: Mapping[int, OfferedItem]) -> None:
        self._items = items
        self._by_sku: dict[str, tuple[OfferedItem, ItemVariant]] = {}
        self._by_variant: dict[int, tuple[OfferedItem, ItemVariant]] = {}
        self._by_name: defaultdict[str, list[OfferedItem]] = defaultdict(list)
        for item in items.values():
            if not item.variant_by_id:
                self._by_name[item.name.casefold()].append(item)
            for variant in item.variant_by_id.values():
                self._by_variant[variant.id] = item, variant
                if variant.sku:
                    self._by_sku[variant.sku] = item, variant

    def match(self, ordered: OrderedItem) -> MatchedItem:
        """Return what was ordered. Raises ``InvalidOrder`` for an item or an option that the menu does not have."""
        item, variant = self._find(ordered)
        if item.is_combo:
            raise InvalidOrder(f"{item.name} is a combo, which cannot be ordered through delivery platforms.")
        extras = [id for option in ordered.options if not option.is_removed for id in _match_extra(item, option)]
        if len(extras) > MAX_EXTRAS:
            raise InvalidOrder(f"{item.name} has more than {MAX_EXTRAS} options.")
        return MatchedItem(item.id, None if variant is None else variant.id, tuple(extras))

    def _find(self, ordered: OrderedItem) -> tuple[OfferedItem, ItemVariant | None]:
        if found := self._by_sku.get(ordered.ref):
            return found
        if ref := REF.fullmatch(ordered.ref):
            id = int(ref[2])
            if ref[1] == "variation" and id in self._by_variant:
                return self._by_variant[id]
            if ref[1] == "item" and id in self._items:
                return self._items[id], None
        # An item that was imported from a platform with one variation has neither: its name has to be unique then.
        named = self._by_name.get(ordered.name.casefold(), ())
        if len(named) == 1:
            return named[0], None
        raise InvalidOrder(f"The menu has no item {ordered.name} with the reference {ordered.ref or '-'}.")


def _match_extra(item: OfferedItem, option: OrderedOption) -> Iterable[int]:
    ref = EXTRA_REF.fullmatch(option.ref)
    if ref and int(ref[1]) in item.extra_by_id:
        return [int(ref[1])] * option.quantity
    named = [extra.id for extra in item.extra_by_id.values() if extra.name.casefold() == option.name.casefold()]
    if len(named) != 1:
        raise InvalidOrder(f"{item.name} has no option {option.name} with the reference {option.ref or '-'}.")
    return named * option.quantity
