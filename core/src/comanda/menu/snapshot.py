"""Snapshots of store menus for pricing orders and for guests, cached per process until the menu changes.

Each read checks the store's ``menu_version`` with one indexed query. The menu is loaded only for a new version, or when
a sold-out item becomes available again, so every process sees a change at its next read.
"""

import hashlib
import math
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import orjson
from cachetools import LRUCache

from comanda.basics import clock
from comanda.basics.errors import NotFound
from comanda.basics.frozen_records import extend_record
from comanda.basics.keyed_locks import KeyedLocks
from comanda.contracts import opening_hours
from comanda.contracts.menu_items import Item, OfferedItem
from comanda.contracts.order_participants import StoreTerms
from comanda.contracts.verticals import ItemCapability
from comanda.menu import records
from comanda.menu.item_json import to_public_menu_json
from comanda.menu.participant_loading import Parts, load_participants, retry_failed_loads
from comanda.menu.queries import MenuData, load_menu
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.plugin_calls import PluginFailed
from comanda.stores import intake_status
from comanda.stores.records import find_vertical

# What a snapshot takes in memory was measured: terms and participants, and the items beside the bytes of their JSON.
# One without participants takes less, and is counted as one that has them, which it gets with its store's next order.
TERMS_BYTES = 20_000
BYTES_PER_PUBLIC_BYTE = 4


@dataclass(frozen=True, slots=True)
class MenuSnapshot:
    """One version of a store's menu. ``items`` holds all items by id, ``public`` the public menu as JSON.

    The parts of ``terms`` are empty unless it ``has_participants``.
    """

    version: int
    stock_version: int
    terms: StoreTerms
    has_participants: bool
    items: Mapping[int, OfferedItem]
    public: bytes
    etag: str
    valid_until: datetime | None

    def is_valid_at(self, moment: datetime) -> bool:
        """Return whether no item has become available or unavailable by time since the snapshot was built."""
        return self.valid_until is None or moment < self.valid_until


def _estimate_bytes(snapshot: MenuSnapshot) -> int:
    return TERMS_BYTES + BYTES_PER_PUBLIC_BYTE * len(snapshot.public)


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
            data = await load_menu(store_id)
            if data is None:
                raise NotFound
            found = _build_snapshot(data, _to_terms(data.store))
        elif found.has_participants or not with_participants:
            return found
        if with_participants:
            terms = replace(found.terms, parts=await load_participants(found.terms))
            found = replace(found, terms=terms, has_participants=True)
        _add(found)
        return found


def _is_at(found: MenuSnapshot, *, version: int, stock_version: int | None) -> bool:
    return found.version == version and stock_version in {None, found.stock_version}


def _add(loaded: MenuSnapshot) -> None:
    """Add a snapshot to the cache, and remove the least recently used ones beyond its limit."""
    _snapshots[loaded.terms.id] = loaded
    limit = runtime.settings().menu_cache_mebibytes * 2**20
    # One that alone is larger is not kept at all.
    while _snapshots.currsize > limit:
        _snapshots.popitem()


def _to_terms(store: sql.Row) -> StoreTerms:
    """Return a store's terms without participants."""
    vertical = find_vertical(store["store_type"])
    return StoreTerms(
        id=store["id"],
        owner_id=store["owner_id"],
        title=store["title"],
        slug=store["slug"],
        is_published=store["is_published"],
        currency=store["currency"],
        zone=ZoneInfo(store["timezone"]),
        day_start_minutes=store["day_start_minutes"],
        hours=opening_hours.parse_hours(store["hours"]),
        pace=intake_status.parse_intake_status(store["pace"]),
        vertical=vertical,
        tax_rate_ppm=store["tax_rate_ppm"],
        mode_tax_rates=orjson.loads(store["mode_tax_rates"]),
        is_tax_included=store["is_tax_included"],
        service_charge_ppm=store["service_charge_ppm"],
        service_charge_minor=store["service_charge_minor"],
        service_charge_modes=frozenset(store["service_charge_modes"]),
        is_service_charge_taxed=store["is_service_charge_taxed"],
        parts={},
    )


def _build_snapshot(data: MenuData, terms: StoreTerms) -> MenuSnapshot:
    store = data.store
    capabilities = runtime.registry().item_fields(terms.vertical) if terms.vertical else []
    limits = [capability for capability in capabilities if capability.sold_out_from is not None]
    shown = {category.id for category in data.categories if category.is_active}
    items = {
        item.id: _to_offered_item(
            item, item.category_id in shown, _find_gone_from(item, terms.zone, limits), data.moment
        )
        for item in data.items
    }
    public = to_public_menu_json(data.categories, items.values(), terms.vertical, store["currency"])
    turns = [*data.return_times, *(item.gone_from for item in items.values() if item.gone_from)]
    return MenuSnapshot(
        version=store["menu_version"],
        stock_version=store["stock_version"],
        terms=terms,
        has_participants=False,
        items=items,
        public=public,
        etag=f'W/"{hashlib.sha256(public).hexdigest()[:24]}"',
        valid_until=min((turn for turn in turns if turn > data.moment), default=None),
    )


def _to_offered_item(item: Item, is_shown: bool, gone_from: datetime | None, moment: datetime) -> OfferedItem:
    is_on_menu = item.is_active and is_shown
    is_gone = gone_from is not None and gone_from <= moment
    return extend_record(
        OfferedItem,
        item,
        is_on_menu=is_on_menu,
        is_available=is_on_menu and not (is_gone or item.is_sold_out or item.is_used_up(item.stock)),
        gone_from=gone_from,
        variant_by_id={variant.id: variant for variant in item.variants if variant.is_active},
        extra_by_id={extra.id: extra for group in item.groups for extra in group.extras},
    )


def _find_gone_from(item: Item, zone: ZoneInfo, limits: list[ItemCapability]) -> datetime | None:
    """Return the time from which an item's capability fields make it unavailable, or None.

    A capability that fails is removed from ``limits``, so that a menu is not a failure for each of its items.
    """
    moments: list[datetime] = []
    for capability in list(limits):
        try:
            moment = records.find_sold_out_moment(capability, item.attributes, zone)
        except PluginFailed:
            limits.remove(capability)
        else:
            moments += [] if moment is None else [moment]
    return min(moments, default=None)
