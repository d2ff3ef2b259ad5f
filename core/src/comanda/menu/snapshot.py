"""Snapshots of store menus for pricing orders and for guests, cached per process until the menu changes.

Each read checks the store's ``menu_version`` with one indexed query. The menu is loaded only for a new version, or when
a sold-out item becomes available again, so every process sees a change at its next read.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from cachetools import LRUCache

from comanda import clock, runtime
from comanda.contracts import opening_hours
from comanda.contracts.order_participants import StoreParticipant, StoreTerms
from comanda.contracts.verticals import SoldOutFrom, Vertical
from comanda.db import sql
from comanda.encoding import to_json
from comanda.errors import NotFound
from comanda.menu import records
from comanda.menu.queries import MenuData, load_menu
from comanda.stores import intake_status
from comanda.stores.records import find_vertical

# Enough for the busy stores of one process; others are loaded on request.
MAX_SNAPSHOTS = 500


@dataclass(frozen=True, slots=True)
class MenuSnapshot:
    """One version of a store's menu. ``items`` holds all items by id, ``public`` the public menu as JSON."""

    version: int
    stock_version: int
    terms: StoreTerms
    items: Mapping[int, dict[str, Any]]
    public: bytes
    etag: str
    valid_until: datetime | None

    def is_valid_at(self, moment: datetime) -> bool:
        """Return whether no item has become available or unavailable by time since the snapshot was built."""
        return self.valid_until is None or moment < self.valid_until


_snapshots: LRUCache[int, MenuSnapshot] = LRUCache(MAX_SNAPSHOTS)


def get_cached_snapshot(store_id: int) -> MenuSnapshot | None:
    """Return the cached snapshot, which may be of an older version, or None."""
    found = _snapshots.get(store_id)
    return found if found is not None and found.is_valid_at(clock.now()) else None


async def get_snapshot(store_id: int, version: int, stock_version: int | None = None) -> MenuSnapshot:
    """Return the store's snapshot at ``version`` or later. Raises ``NotFound`` if the store does not exist.

    Give ``stock_version`` if the remaining stock is shown; prices do not depend on it.
    """
    found = get_cached_snapshot(store_id)
    if found is not None and found.version == version and stock_version in {None, found.stock_version}:
        return found
    data = await load_menu(store_id)
    if data is None:
        raise NotFound
    loaded = _build_snapshot(data, await _load_terms(data.store), clock.now())
    _snapshots[store_id] = loaded
    return loaded


async def _load_terms(store: sql.Row) -> StoreTerms:
    """Return a store's terms with the data that order participants load for it."""
    vertical = find_vertical(store["store_type"])
    terms = StoreTerms(
        id=store["id"],
        owner_id=store["owner_id"],
        title=store["title"],
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
    return replace(terms, parts=await _load_participants(terms, vertical)) if vertical else terms


async def _load_participants(terms: StoreTerms, vertical: Vertical) -> dict[str, tuple[StoreParticipant, ...]]:
    by_mode = {mode: runtime.registry().participants(vertical, mode) for mode in vertical.fulfillment_modes}
    participants = {participant.name: participant for found in by_mode.values() for participant in found}
    loaded = {name: await each.load(terms) if each.load else None for name, each in participants.items()}
    return {
        mode: tuple(StoreParticipant(each, loaded[each.name]) for each in found)
        for mode, found in by_mode.items()
        if found
    }


def _build_snapshot(data: MenuData, terms: StoreTerms, moment: datetime) -> MenuSnapshot:
    store = data.store
    vertical = terms.vertical
    capabilities = runtime.registry().item_fields(vertical) if vertical else []
    limits = [each.sold_out_from for each in capabilities if each.sold_out_from is not None]
    shown = {category["id"] for category in data.categories if category["is_active"]}
    for item in data.items:
        item["is_on_menu"] = item["is_active"] and item["category_id"] in shown
        item["gone_from"] = _find_gone_from(item, terms.zone, limits)
        is_gone = item["gone_from"] is not None and item["gone_from"] <= moment
        item["is_available"] = item["is_on_menu"] and not is_gone and not records.is_sold_out(item, moment)
        item["variant_by_id"] = {variant["id"]: variant for variant in item["variants"] if variant["is_active"]}
        item["extra_by_id"] = {extra["id"]: (extra, group) for group in item["groups"] for extra in group["extras"]}
    public = to_json(_to_public_menu(data, vertical, store["currency"]))
    turns = [*data.return_times, *(item["gone_from"] for item in data.items if item["gone_from"])]
    return MenuSnapshot(
        version=store["menu_version"],
        stock_version=store["stock_version"],
        terms=terms,
        items={item["id"]: item for item in data.items},
        public=public,
        etag=f'W/"{hashlib.sha256(public).hexdigest()[:24]}"',
        valid_until=min((turn for turn in turns if turn > moment), default=None),
    )


def _find_gone_from(item: Mapping[str, Any], zone: ZoneInfo, limits: Sequence[SoldOutFrom]) -> datetime | None:
    """Return the time from which an item's capability fields make it unavailable, or None."""
    moments = [moment for limit in limits if (moment := limit(item["attributes"], zone)) is not None]
    return min(moments, default=None)


def _to_public_menu(data: MenuData, vertical: Vertical | None, currency: str) -> list[dict[str, Any]]:
    by_category: dict[int, list[dict[str, Any]]] = {}
    for item in data.items:
        if item["is_available"]:
            record = records.to_public_item_record(item, vertical, currency)
            by_category.setdefault(item["category_id"], []).append(record)
    return [
        {"id": category["id"], "name": category["name"], "items": by_category.get(category["id"], [])}
        for category in data.categories
        if category["is_active"]
    ]
