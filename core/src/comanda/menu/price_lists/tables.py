"""The prices of the next days in advance, for tills that go on without a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.basics.money import Money
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.menu.price_lists.price_list import PriceList, list_current
from comanda.menu.price_lists.priced_items import PricedItems
from comanda.menu.snapshot import MenuSnapshot

LOOKAHEAD: Final = timedelta(days=8)
MAX_PERIODS: Final = 200


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The prices that differ from the menu's, by the ids of items, variations and extras."""

    items: Mapping[str, Money]
    variations: Mapping[str, Money]
    extras: Mapping[str, Money]


@dataclass(frozen=True, slots=True)
class PricePeriod:
    """Until when a table holds, null for good: its place in the list, null for the menu's prices."""

    until: datetime | None
    table: int | None


@dataclass(frozen=True, slots=True)
class PriceTables:
    """The tables, and by order type the periods from now on. A type without periods has the menu's prices."""

    tables: Sequence[PriceTable]
    periods: Mapping[str, Sequence[PricePeriod]]


def list_price_tables(menu: MenuSnapshot, channel: str, moment: datetime) -> PriceTables:
    """Return the prices of a channel for the next days by the order types of the store."""
    vertical, zone = menu.terms.vertical, menu.terms.zone
    tables: list[PriceTable] = []
    places: dict[tuple[int, ...], int | None] = {(): None}
    periods: dict[str, list[PricePeriod]] = {}
    for mode in vertical.fulfillment_modes if vertical and menu.price_lists else ():
        lists = [each for each in menu.price_lists if each.is_for(mode, channel)]
        if not lists:
            continue
        found = periods[mode] = []
        at: datetime | None = moment
        while at is not None and at < moment + LOOKAHEAD and len(found) < MAX_PERIODS:
            current, turns = list_current(lists, zone, at)
            key = tuple(each.id for each in current)
            if key not in places:
                places[key] = len(tables)
                tables.append(_to_table(menu.items, current, menu.terms.currency))
            at = min(turns, default=None)
            found.append(PricePeriod(at, places[key]))
    return PriceTables(tables, periods)


def _to_table(items: Mapping[int, OfferedItem], lists: Sequence[PriceList], currency: str) -> PriceTable:
    items_at, variations_at, extras_at = dict[str, Money](), dict[str, Money](), dict[str, Money]()
    priced = PricedItems(items, lists)
    for item_id, before in items.items():
        item = priced[item_id]
        if item is before:
            continue
        items_at[str(item_id)] = Money(item.price_minor, currency)
        variations_at |= {str(each.id): Money(each.price_minor, currency) for each in item.variants}
        extras_at |= {str(each.id): Money(each.price_minor, currency) for each in item.extra_by_id.values()}
    return PriceTable(items_at, variations_at, extras_at)
