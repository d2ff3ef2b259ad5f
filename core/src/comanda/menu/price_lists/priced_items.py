"""The items of a menu at the prices of lists, each priced when it is first asked for. No database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, OfferedItem
from comanda.menu.combos import get_own_price
from comanda.menu.price_lists.price_list import PriceList


def lower_prior_prices(item: Item, lists: Sequence[PriceList]) -> Item:
    """Return an item whose prior prices are at most what its lists made of them, whenever and for whom these hold."""
    if item.prior_price_minor is None and all(each.prior_price_minor is None for each in item.variants):
        return item

    def get_lowest(variant_id: int | None, prior_minor: int | None) -> int | None:
        if prior_minor is None:
            return None
        return min(prior_minor, *(each.price(item, variant_id, prior_minor) for each in lists))

    variants = [replace(each, prior_price_minor=get_lowest(each.id, each.prior_price_minor)) for each in item.variants]
    return replace(item, prior_price_minor=get_lowest(None, item.prior_price_minor), variants=tuple(variants))


class PricedItems(Mapping[int, OfferedItem]):
    """The items of a menu by id, at the prices of the first list in the order of ``lists`` that covers each.

    Items whose prices stay as they are are the same objects.
    """

    def __init__(self, items: Mapping[int, OfferedItem], lists: Sequence[PriceList]) -> None:
        self._items, self._lists = items, lists
        self._priced: dict[int, OfferedItem] = {}

    def __getitem__(self, item_id: int) -> OfferedItem:
        found = self._priced.get(item_id)
        if found is None:
            found = self._priced[item_id] = self._price(self._items[item_id])
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def _price(self, item: OfferedItem) -> OfferedItem:
        prices = next((each for each in self._lists if each.covers(item)), None)
        if prices is None and not item.is_combo:
            return item
        price_minor, variants, groups = item.price_minor, item.variants, item.groups
        if prices is not None:
            price_minor = prices.price(item, None, price_minor)
            variants = tuple(
                [replace(each, price_minor=prices.price(item, each.id, each.price_minor)) for each in variants]
            )
        groups = tuple([self._price_group(group, item, prices) for group in groups])
        if (price_minor, variants, groups) == (item.price_minor, item.variants, item.groups):
            return item
        return replace(
            item,
            price_minor=price_minor,
            variants=variants,
            variant_by_id={each.id: each for each in variants if each.is_active},
            groups=groups,
            extra_by_id={extra.id: extra for group in groups for extra in group.extras},
            price_list=None if prices is None else prices.name,
        )

    def _price_group(self, group: ExtraGroup, item: OfferedItem, prices: PriceList | None) -> ExtraGroup:
        extras = tuple([self._price_extra(each, group, item, prices) for each in group.extras])
        return replace(group, extras=extras)

    def _price_extra(self, extra: Extra, group: ExtraGroup, item: OfferedItem, prices: PriceList | None) -> Extra:
        """Return an extra at its price: for a choice of a combo its surcharge, and what its item costs alone."""
        before = get_own_price(extra, group.item_discount_ppm, self._items)
        surcharge = extra.price_minor - before
        if prices is not None:
            surcharge = prices.change(item, surcharge)
        return replace(extra, price_minor=surcharge + get_own_price(extra, group.item_discount_ppm, self))
