"""Query of a store's whole menu in one statement."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from comanda.basics import clock
from comanda.basics.frozen_records import build_constructor
from comanda.contracts.menu_items import Extra, ExtraGroup, Item, ItemVariant, Picture, PictureSize
from comanda.menu.columns import build_object, build_reader
from comanda.menu.records import MenuCategory
from comanda.platform.db import sql
from comanda.platform.db.store_owners import find_store_owner
from comanda.platform.photos.urls import to_url

STORE_COLUMNS = """s.id, s.owner_id, s.title, s.slug, s.store_type, s.currency, s.timezone, s.is_published,
    s.menu_version, s.stock_version, s.day_start_minutes, s.hours, s.pace, s.tax_rate_ppm, s.is_tax_included,
    s.mode_tax_rates, s.service_charge_ppm, s.service_charge_minor, s.service_charge_modes, s.is_service_charge_taxed,
    o.is_suspended"""

SELECT_EXTRAS = f"""(
    SELECT coalesce(json_agg({build_object(Extra, "e", "sold_out_until")} ORDER BY e.position, e.id), '[]')
    FROM core_extra e WHERE e.group_id = g.id AND e.owner_id = $3)"""
# One JSON array per table, so a single round trip returns everything. Each names the owner itself: the rows of a store
# are on one node of a cluster, while the store is on all.
SELECT_MENU = f"""
    SELECT {STORE_COLUMNS},
      (SELECT coalesce(json_agg({build_object(MenuCategory, "c")} ORDER BY c.position, c.id), '[]')
       FROM core_menu_category c WHERE c.store_id = s.id AND c.owner_id = $3) AS categories,
      (SELECT coalesce(json_agg({build_object(Item, "i")} ORDER BY i.position, i.id), '[]')
       FROM core_menu_item i
       WHERE i.store_id = s.id AND i.owner_id = $3 AND ($2::bigint[] IS NULL OR i.id = ANY($2))) AS items,
      (SELECT coalesce(json_agg({build_object(ItemVariant, "v", "item_id")} ORDER BY v.position, v.id), '[]')
       FROM core_variant v
       WHERE v.store_id = s.id AND v.owner_id = $3
         AND ($2::bigint[] IS NULL OR v.item_id = ANY($2))) AS variants,
      (SELECT coalesce(json_agg({build_object(ExtraGroup, "g", "item_id", extras=SELECT_EXTRAS)}
                ORDER BY g.position, g.id), '[]')
       FROM core_extra_group g
       WHERE g.store_id = s.id AND g.owner_id = $3 AND ($2::bigint[] IS NULL OR g.item_id = ANY($2))) AS groups,
      (SELECT coalesce(json_agg(json_build_object('item_id', p.item_id, 'store_id', p.store_id, 'alt', p.alt,
              'url', p.url, 'photo_id', p.photo_id, 'hash', f.hash, 'sizes', f.sizes) ORDER BY p.position, p.id), '[]')
       FROM core_gallery_picture p LEFT JOIN core_photo f ON f.id = p.photo_id AND f.owner_id = p.owner_id
       WHERE p.store_id = s.id AND p.owner_id = $3 AND ($2::bigint[] IS NULL OR p.item_id = ANY($2))) AS gallery
    FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $3
"""


# A larger menu is read in a thread, so that other requests do not wait for it.
MAX_CHARACTERS_ON_LOOP: Final = 200_000


@dataclass(frozen=True, slots=True)
class MenuData:
    """A store's row and its menu as it was at a ``moment``.

    ``return_times`` are the times at which sold-out items and extras become available again.
    """

    store: sql.Row
    moment: datetime
    categories: tuple[MenuCategory, ...]
    items: tuple[Item, ...]
    return_times: tuple[datetime, ...]


async def load_menu(store_id: int, item_ids: Sequence[int] | None = None) -> MenuData | None:
    """Return a store and its menu, or only some items of it. The caller checks ``store["owner_id"]``."""
    owner_id = await find_store_owner(store_id)
    row = await sql.fetch_one(SELECT_MENU, store_id, item_ids, owner_id) if owner_id is not None else None
    if row is None:
        return None
    reader = _MenuReader(row)
    return reader.read() if len(row["items"]) <= MAX_CHARACTERS_ON_LOOP else await asyncio.to_thread(reader.read)


# A large menu has thousands of these.
_make_item: Final = build_constructor(Item)
_make_variant: Final = build_constructor(ItemVariant)
_make_group: Final = build_constructor(ExtraGroup)
_make_extra: Final = build_constructor(Extra)
_read_item, _read_variant, _read_group, _read_extra = map(build_reader, (Item, ItemVariant, ExtraGroup, Extra))


class _MenuReader:
    """Reads the rows of a menu into records, and collects when what is sold out becomes available again."""

    def __init__(self, row: sql.Row) -> None:
        self._row, self._moment = row, clock.now()
        self._return_times: list[datetime] = []

    def read(self) -> MenuData:
        self._variants = _group_by_item(self._row["variants"])
        self._groups = _group_by_item(self._row["groups"])
        self._gallery = _group_by_item(self._row["gallery"])
        categories = tuple([MenuCategory(**each) for each in orjson.loads(self._row["categories"])])
        items = tuple([self._to_item(each) for each in orjson.loads(self._row["items"])])
        return MenuData(self._row, self._moment, categories, items, tuple(self._return_times))

    def _to_item(self, row: MutableMapping[str, Any]) -> Item:
        item_id, name = row["id"], row["name"]
        row["is_sold_out"], row["sold_out_until"] = self._read_flag(row)
        row["variants"] = tuple([_make_variant(_read_variant(each)) for each in self._variants.get(item_id, ())])
        row["groups"] = tuple([self._to_group(each) for each in self._groups.get(item_id, ())])
        row["gallery"] = tuple([_to_picture(each, name) for each in self._gallery.get(item_id, ())])
        return _make_item(_read_item(row))

    def _to_group(self, row: MutableMapping[str, Any]) -> ExtraGroup:
        row["extras"] = tuple([self._to_extra(each) for each in row["extras"]])
        return _make_group(_read_group(row))

    def _to_extra(self, row: MutableMapping[str, Any]) -> Extra:
        # Most are not sold out, and menus have more extras than anything else.
        if row["is_sold_out"]:
            row["is_sold_out"] = self._read_flag(row)[0]
        return _make_extra(_read_extra(row))

    def _read_flag(self, row: Mapping[str, Any]) -> tuple[bool, datetime | None]:
        """Return whether an item or extra is sold out by its flag, and until when; a flag whose time is over is off."""
        if not row["is_sold_out"] or row["sold_out_until"] is None:
            return row["is_sold_out"], None
        until = datetime.fromisoformat(row["sold_out_until"])
        if until <= self._moment:
            return False, None
        self._return_times.append(until)
        return True, until


def _to_picture(row: Mapping[str, Any], item_name: str) -> Picture:
    alt = row["alt"] or item_name
    if row["url"] is not None:
        return Picture(None, row["url"], alt)
    sizes = tuple([_to_size(row, size) for size in row["sizes"]])
    return Picture(row["photo_id"], sizes[-1].url, alt, sizes)


def _to_size(row: Mapping[str, Any], size: Mapping[str, int]) -> PictureSize:
    url = to_url(row["store_id"], row["hash"], size["width"])
    return PictureSize(url, size["width"], size["height"])


def _group_by_item(text: str) -> Mapping[int, Iterable[MutableMapping[str, Any]]]:
    found: defaultdict[int, list[MutableMapping[str, Any]]] = defaultdict(list)
    for row in orjson.loads(text):
        found[row["item_id"]].append(row)
    return found
