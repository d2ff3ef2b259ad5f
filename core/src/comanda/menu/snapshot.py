"""Snapshots of store menus for pricing orders and for guests, cached per process until the menu changes.

Each read checks the store's ``menu_version`` with one indexed query. The menu is loaded only for a new version, or when
a sold-out item becomes available again, so every process sees a change at its next read. Orders change the stock of a
few items, which are read and encoded alone; what a new version has not changed is not encoded again either.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from zoneinfo import ZoneInfo

import orjson
from cachetools import LRUCache

from comanda.basics import clock
from comanda.basics.errors import require_found
from comanda.basics.frozen_records import extend_record
from comanda.basics.keyed_locks import KeyedLocks
from comanda.contracts import opening_hours
from comanda.contracts.orders.participants import StoreTerms
from comanda.contracts.stores.menu_items import Item, ItemVariant, OfferedItem
from comanda.contracts.stores.verticals import ALWAYS_ORDERABLE, Orderability
from comanda.menu.capabilities.orderability import list_orderability
from comanda.menu.combos import is_combo, resolve_combo
from comanda.menu.price_lists.price_list import PriceList, list_current, read_price_lists
from comanda.menu.price_lists.priced_items import lower_prior_prices
from comanda.menu.reading.participant_loading import Parts, load_participants, retry_failed_loads
from comanda.menu.reading.public_json import PublicMenu, create_public_menu, encode_item, replace_items
from comanda.menu.reading.queries import MenuData, load_menu
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import intake_status
from comanda.stores.records import find_vertical

# What a snapshot takes in memory was measured: terms and participants, and the items beside the bytes of their JSON.
# One without participants takes less, and is counted as one that has them, which it gets with its store's next order.
TERMS_BYTES = 20_000
BYTES_PER_PUBLIC_BYTE = 5
# Menus with more items are read and encoded in a thread, so that other requests do not wait for it.
MAX_ITEMS_ON_LOOP = 300

SELECT_STOCK = """
    SELECT s.menu_version, s.stock_version, i.ids, i.stocks, v.item_ids, v.ids AS variant_ids,
        v.stocks AS variant_stocks
    FROM core_store s,
        LATERAL (SELECT array_agg(id) AS ids, array_agg(stock) AS stocks FROM core_menu_item
                 WHERE store_id = s.id AND owner_id = $2 AND stock IS NOT NULL) AS i,
        LATERAL (SELECT array_agg(id) AS ids, array_agg(stock) AS stocks, array_agg(item_id) AS item_ids
                 FROM core_variant WHERE store_id = s.id AND owner_id = $2 AND stock IS NOT NULL) AS v
    WHERE s.id = $1 AND s.owner_id = $2
"""


@dataclass(frozen=True, slots=True)
class MenuSnapshot:
    """One version of a store's menu. ``items`` holds all items by id, ``guest_menu`` those for guests as JSON.

    The parts of ``terms`` are empty unless it ``has_participants``. ``stocks`` are what is counted of items and of
    variants; ``availability`` differs if other items can be ordered, whatever is left of each.

    Of the ``price_lists`` that are switched on, the ``current_lists`` hold now; ``priced`` are menus at the prices of
    some of them by their ids, and ``priced_by`` are those whose prices this one has.
    """

    version: int
    stock_version: int
    terms: StoreTerms
    has_participants: bool
    items: Mapping[int, OfferedItem]
    guest_menu: PublicMenu
    stocks: tuple[Mapping[int, int], Mapping[int, int]]
    availability: bytes
    valid_until: datetime | None
    price_lists: tuple[PriceList, ...] = ()
    current_lists: tuple[PriceList, ...] = ()
    priced_by: tuple[int, ...] = ()
    priced: dict[tuple[int, ...], "MenuSnapshot"] = field(init=False, default_factory=dict, compare=False, repr=False)

    @property
    def public(self) -> bytes:
        """The public menu as JSON."""
        return self.guest_menu.json

    @property
    def etag(self) -> str:
        """The tag of the public menu."""
        return self.guest_menu.etag

    def is_valid_at(self, moment: datetime) -> bool:
        """Return whether no item has become available or unavailable by time since the snapshot was built."""
        return self.valid_until is None or moment < self.valid_until


def _estimate_bytes(snapshot: MenuSnapshot) -> int:
    # A menu at the prices of its lists takes as much again; few of them hold together.
    copies = 1 + len(snapshot.price_lists)
    return TERMS_BYTES + BYTES_PER_PUBLIC_BYTE * len(snapshot.public) * copies


# Bounded by ``menu_cache_mebibytes``, which is read when a snapshot is added.
_snapshots: LRUCache[int, MenuSnapshot] = LRUCache(math.inf, _estimate_bytes)
_loading = KeyedLocks()


def get_cached_snapshot(store_id: int) -> MenuSnapshot | None:
    """Return the cached snapshot with its participants, which may be of an older version, or None."""
    found = _find_valid(store_id)
    return found if found is not None and found.has_participants else None


def _find_valid(store_id: int) -> MenuSnapshot | None:
    found = _snapshots.get(store_id)
    if found is None or not found.is_valid_at(clock.now()):
        return None
    if not found.terms.is_loaded:
        retry_failed_loads(found.terms, partial(_use_parts, found))
    return found


def _use_parts(found: MenuSnapshot, parts: Parts) -> None:
    """Replace the participants of a snapshot, unless there is a newer one."""
    if _snapshots.get(found.terms.id) is found:
        _snapshots[found.terms.id] = replace(found, terms=replace(found.terms, parts=parts))


async def get_snapshot(
    store_id: int, version: int, stock_version: int | None = None, *, with_participants: bool = True
) -> MenuSnapshot:
    """Return the store's snapshot at ``version`` or later. Raises ``NotFound`` if the store does not exist.

    Give ``stock_version`` if the remaining stock is shown; prices do not depend on it. Without ``with_participants``
    they may be missing, which takes most of the time of a first read: the menu alone does not depend on them.
    """
    is_needed = partial(_is_at, version=version, stock_version=stock_version)
    found = _find_valid(store_id)
    if found is not None and is_needed(found) and (found.has_participants or not with_participants):
        return found
    # All who wait for a menu that has changed take the one that the first of them loads. Nobody waits who holds a
    # connection, which the first may need.
    async with nullcontext() if sql.is_in_transaction() else _loading[store_id, with_participants]:
        found = _find_valid(store_id)
        if found is None or not is_needed(found):
            found = await _load(store_id, version)
        if with_participants and not found.has_participants:
            terms = replace(found.terms, parts=await load_participants(found.terms))
            found = replace(found, terms=terms, has_participants=True)
        _add(found)
        return found


def _is_at(found: MenuSnapshot, *, version: int, stock_version: int | None) -> bool:
    return found.version == version and (stock_version is None or found.stock_version >= stock_version)


async def _load(store_id: int, version: int) -> MenuSnapshot:
    """Load the snapshot again, or only its stock if the menu has not changed."""
    found = _find_valid(store_id)
    if found is not None and found.version == version and (counted := await _load_stock(found)) is not None:
        return counted
    data = require_found(await load_menu(store_id))
    build = partial(_build_snapshot, data, _to_terms(data.store), _snapshots.get(store_id))
    return build() if len(data.items) <= MAX_ITEMS_ON_LOOP else await asyncio.to_thread(build)


async def _load_stock(found: MenuSnapshot) -> MenuSnapshot | None:
    """Return the snapshot with the stock as it is now, or None if more than that has changed."""
    row = await sql.fetch_one(SELECT_STOCK, found.terms.id, found.terms.owner_id)
    if row is None or row["menu_version"] != found.version:
        return None
    stocks = dict(zip(row["ids"] or (), row["stocks"] or (), strict=True))
    of_variants = dict(zip(row["variant_ids"] or (), row["variant_stocks"] or (), strict=True))
    changed = _find_changed(found.stocks[0], stocks)
    changed_variants = _find_changed(found.stocks[1], of_variants)
    if changed_variants:
        item_ids = zip(row["variant_ids"], row["item_ids"], strict=True)
        changed |= {item_id for variant_id, item_id in item_ids if variant_id in changed_variants}
    if not changed <= found.items.keys():
        return None
    items = {item_id: _with_stock(found.items[item_id], stocks, of_variants) for item_id in changed}
    if any(_to_availability(item) != _to_availability(found.items[item.id]) for item in items.values()):
        return None
    encoded: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
    for item in items.values():
        if item.is_available:
            encoded[item.category_id][item.id] = encode_item(item, found.terms.vertical, found.terms.currency)
    return replace(
        found,
        stock_version=row["stock_version"],
        items={**found.items, **items},
        guest_menu=replace_items(found.guest_menu, encoded),
        stocks=(stocks, of_variants),
    )


def _find_changed(before: Mapping[int, int], now: Mapping[int, int]) -> set[int]:
    return {key for key, stock in now.items() if before.get(key) != stock}


def _with_stock(item: OfferedItem, stocks: Mapping[int, int], of_variants: Mapping[int, int]) -> OfferedItem:
    variants = tuple([replace(each, stock=of_variants.get(each.id)) for each in item.variants])
    stock = stocks.get(item.id)
    return replace(
        item,
        stock=stock,
        is_available=_is_available(item, item.orderability, stock, is_on_menu=item.is_on_menu),
        variants=variants,
        variant_by_id={variant.id: variant for variant in variants if variant.is_active},
    )


def _add(loaded: MenuSnapshot) -> None:
    """Add a snapshot to the cache, and remove the least recently used ones beyond its limit."""
    _snapshots[loaded.terms.id] = loaded
    limit = runtime.settings().menu_cache_mebibytes * 2**20
    # One that alone is larger is not kept at all.
    while _snapshots.currsize > limit:
        _snapshots.popitem()


def _to_terms(store: sql.Row) -> StoreTerms:
    """Return a store's terms without participants."""
    return sql.to_record(
        StoreTerms,
        store,
        zone=ZoneInfo(store["timezone"]),
        hours=opening_hours.parse_hours(store["hours"]),
        pace=intake_status.parse_intake_status(store["pace"]),
        vertical=find_vertical(store["store_type"]),
        mode_tax_rates=orjson.loads(store["mode_tax_rates"]),
        service_charge_modes=frozenset(store["service_charge_modes"]),
        parts={},
    )


def _build_snapshot(data: MenuData, terms: StoreTerms, before: MenuSnapshot | None) -> MenuSnapshot:
    """Return the snapshot of a menu; what is the same as ``before`` is used again."""
    store = data.store
    limited = list_orderability(data.items, terms.vertical, terms.zone, data.moment)
    shown = {category.id for category in data.categories if category.is_active}
    known = before.guest_menu.categories.values() if before is not None else ()
    encoded = {item_id: found for category in known for item_id, found in category.items.items()}
    same = before.items if before is not None and _is_encoded_alike(before.terms, terms) else {}
    items: dict[int, OfferedItem] = {}
    guest_items: list[tuple[OfferedItem, bytes]] = []
    price_lists = read_price_lists(store["price_lists"])
    for each in data.items:
        orderability = limited.get(each.id, ALWAYS_ORDERABLE)
        content = lower_prior_prices(each, price_lists) if price_lists else each
        item = _to_offered_item(content, each.category_id in shown, orderability, same.get(each.id))
        items[item.id] = item
    for item in [each for each in items.values() if each.is_combo]:
        items[item.id] = resolve_combo(item, items, same.get(item.id))
    for item in items.values():
        if item.is_available:
            is_same = item is same.get(item.id) and item.id in encoded
            found = encoded[item.id] if is_same else encode_item(item, terms.vertical, terms.currency)
            guest_items.append((item, found))
    current_lists, list_turns = list_current(price_lists, terms.zone, data.moment)
    turns = [*data.return_times, *list_turns, *(each.changes_at for each in limited.values() if each.changes_at)]
    variants = [variant for item in items.values() for variant in item.variants]
    return MenuSnapshot(
        version=store["menu_version"],
        stock_version=store["stock_version"],
        terms=terms,
        has_participants=False,
        items=items,
        guest_menu=create_public_menu(data.categories, guest_items, terms.currency),
        stocks=(_to_stocks(items.values()), _to_stocks(variants)),
        availability=b"".join([_to_availability(item) for item in items.values()]),
        valid_until=min(turns, default=None),
        price_lists=price_lists,
        current_lists=current_lists,
    )


def _is_encoded_alike(before: StoreTerms, now: StoreTerms) -> bool:
    return (before.vertical, before.currency) == (now.vertical, now.currency)


def _to_stocks(counted: Iterable[Item | ItemVariant]) -> Mapping[int, int]:
    return {each.id: each.stock for each in counted if each.stock is not None}


def _to_availability(item: OfferedItem) -> bytes:
    """Return what of an item can be ordered, without the stock that is left of it."""
    return bytes([item.is_available, *(variant.stock is None or variant.stock > 0 for variant in item.variants)])


_get_item_values = attrgetter(*(field.name for field in fields(Item)))


def _to_offered_item(item: Item, is_shown: bool, orderability: Orderability, before: OfferedItem | None) -> OfferedItem:
    """Return an item with what of it can be ordered: the one from ``before`` if it is the same."""
    is_on_menu = item.is_active and is_shown
    is_available = _is_available(item, orderability, item.stock, is_on_menu=is_on_menu)
    offer = (is_on_menu, is_available, orderability)
    if (
        before is not None
        and offer == (before.is_on_menu, before.is_available, before.orderability)
        and _get_item_values(item) == _get_item_values(before)
    ):
        return before
    return extend_record(
        OfferedItem,
        item,
        is_on_menu=is_on_menu,
        is_available=is_available,
        orderability=orderability,
        variant_by_id={variant.id: variant for variant in item.variants if variant.is_active},
        extra_by_id={extra.id: extra for group in item.groups for extra in group.extras},
        is_combo=is_combo(item),
    )


def _is_available(item: Item, orderability: Orderability, stock: int | None, *, is_on_menu: bool) -> bool:
    return is_on_menu and orderability.is_orderable and not (item.is_sold_out or item.is_used_up(stock))
