"""Menus at the prices of an order type in a channel, as guests read them and as orders are priced."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from comanda.basics.keyed_locks import KeyedLocks
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.menu.price_lists.price_list import PriceList
from comanda.menu.price_lists.priced_items import PricedItems
from comanda.menu.reading.public_json import PublicMenu, encode_item, replace_items
from comanda.menu.snapshot import MAX_ITEMS_ON_LOOP, MenuSnapshot

_pricing = KeyedLocks()


def price_for_order(menu: MenuSnapshot, mode: str, channel: str) -> MenuSnapshot:
    """Return a menu with the items at the prices of an order; its JSON stays that of the menu without lists."""
    lists = _list_for(menu, mode, channel)
    return _apply(menu, lists, PricedItems(menu.items, lists), menu.guest_menu) if lists else menu


async def get_at_prices(menu: MenuSnapshot, mode: str | None, channel: str) -> MenuSnapshot:
    """Return a menu at the prices of an order type in a channel, also its JSON.

    Without a mode only the lists for all order types count.
    """
    lists = _list_for(menu, mode, channel)
    if not lists:
        return menu
    key = tuple(each.id for each in lists)
    if key in menu.priced:
        return menu.priced[key]
    work = partial(_price, menu, lists)
    if len(menu.items) <= MAX_ITEMS_ON_LOOP:
        found = menu.priced[key] = work()
        return found
    # All who wait for a list that has just begun take the menu that the first of them makes.
    async with _pricing[menu.terms.id, key]:
        if key not in menu.priced:
            menu.priced[key] = await asyncio.to_thread(work)
        return menu.priced[key]


def list_price_lists_for(menu: MenuSnapshot, mode: str | None, channel: str) -> tuple[int, ...]:
    """Return the ids of the lists that hold now for orders of a mode in a channel."""
    return tuple([each.id for each in _list_for(menu, mode, channel)])


def _list_for(menu: MenuSnapshot, mode: str | None, channel: str) -> tuple[PriceList, ...]:
    return tuple([each for each in menu.current_lists if each.is_for(mode, channel)]) if menu.current_lists else ()


def _price(menu: MenuSnapshot, lists: tuple[PriceList, ...]) -> MenuSnapshot:
    items = dict(PricedItems(menu.items, lists))
    encoded: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
    for category_id, category in menu.guest_menu.categories.items():
        for item_id in category.items:
            if items[item_id] is not menu.items[item_id]:
                encoded[category_id][item_id] = encode_item(items[item_id], menu.terms.vertical, menu.terms.currency)
    guest_menu = replace_items(menu.guest_menu, encoded) if encoded else menu.guest_menu
    return _apply(menu, lists, items, guest_menu)


def _apply(
    menu: MenuSnapshot, lists: tuple[PriceList, ...], items: Mapping[int, OfferedItem], guest_menu: PublicMenu
) -> MenuSnapshot:
    """Return a menu with the items at the prices of lists, which are not applied a second time."""
    priced_by = tuple([each.id for each in lists])
    return replace(menu, items=items, guest_menu=guest_menu, price_lists=(), current_lists=(), priced_by=priced_by)
