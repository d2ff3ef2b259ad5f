"""Query of a store's whole menu in one statement."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from comanda.basics import clock
from comanda.basics.frozen_records import build_constructor
from comanda.contracts.menu_items import Extra, ExtraGroup, Item, ItemVariant, Picture, PictureSize
from comanda.menu.records import MenuCategory
from comanda.platform.db import sql
from comanda.platform.db.store_owners import find_store_owner
from comanda.platform.photos.urls import to_url

STORE_COLUMNS = """s.id, s.owner_id, s.title, s.slug, s.store_type, s.currency, s.timezone, s.is_published,
    s.menu_version, s.stock_version, s.day_start_minutes, s.hours, s.pace, s.tax_rate_ppm, s.is_tax_included,
    s.mode_tax_rates, s.service_charge_ppm, s.service_charge_minor, s.service_charge_modes, s.is_service_charge_taxed,
    o.is_suspended"""

# One JSON array per table, so a single round trip returns everything. Each names the owner itself: the rows of a store
# are on one node of a cluster, while the store is on all.
SELECT_MENU = f"""
    SELECT {STORE_COLUMNS},
      (SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'position', c.position,
              'is_active', c.is_active) ORDER BY c.position, c.id), '[]')
       FROM core_menu_category c WHERE c.store_id = s.id AND c.owner_id = $3) AS categories,
      (SELECT coalesce(json_agg(json_build_object('id', i.id, 'category_id', i.category_id, 'name', i.name,
              'description', i.description, 'image_url', i.image_url, 'price_minor', i.price_minor,
              'tax_rate_ppm', i.tax_rate_ppm, 'is_sold_out', i.is_sold_out, 'sold_out_until', i.sold_out_until,
              'is_popular', i.is_popular, 'is_active', i.is_active, 'position', i.position, 'stock', i.stock,
              'allow_backorder', i.allow_backorder, 'attributes', i.attributes) ORDER BY i.position, i.id), '[]')
       FROM core_menu_item i
       WHERE i.store_id = s.id AND i.owner_id = $3 AND ($2::bigint[] IS NULL OR i.id = ANY($2))) AS items,
      (SELECT coalesce(json_agg(json_build_object('id', v.id, 'item_id', v.item_id, 'name', v.name, 'sku', v.sku,
              'barcode', v.barcode, 'options', v.options, 'price_minor', v.price_minor,
              'compare_at_price_minor', v.compare_at_price_minor, 'stock', v.stock, 'is_active', v.is_active)
              ORDER BY v.position, v.id), '[]')
       FROM core_variant v
       WHERE v.store_id = s.id AND v.owner_id = $3
         AND ($2::bigint[] IS NULL OR v.item_id = ANY($2))) AS variants,
      (SELECT coalesce(json_agg(json_build_object('id', g.id, 'item_id', g.item_id, 'name', g.name,
              'min_count', g.min_count, 'max_count', g.max_count, 'free_count', g.free_count,
              'allows_repeats', g.allows_repeats, 'extras', (
                SELECT coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'price_minor', e.price_minor,
                       'is_sold_out', e.is_sold_out, 'sold_out_until', e.sold_out_until)
                       ORDER BY e.position, e.id), '[]')
                FROM core_extra e WHERE e.group_id = g.id AND e.owner_id = $3)) ORDER BY g.position, g.id),
                '[]')
       FROM core_extra_group g
       WHERE g.store_id = s.id AND g.owner_id = $3 AND ($2::bigint[] IS NULL OR g.item_id = ANY($2))) AS groups,
      (SELECT coalesce(json_agg(json_build_object('item_id', p.item_id, 'store_id', p.store_id, 'alt', p.alt,
              'url', p.url, 'photo_id', p.photo_id, 'hash', f.hash, 'sizes', f.sizes) ORDER BY p.position, p.id), '[]')
       FROM core_gallery_picture p LEFT JOIN core_photo f ON f.id = p.photo_id AND f.owner_id = p.owner_id
       WHERE p.store_id = s.id AND p.owner_id = $3 AND ($2::bigint[] IS NULL OR p.item_id = ANY($2))) AS gallery
    FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $3
"""


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
    return None if row is None else _MenuReader(row).read()


# A large menu has thousands of these.
_make_item: Final = build_constructor(Item)
_make_variant: Final = build_constructor(ItemVariant)
_make_group: Final = build_constructor(ExtraGroup)
_make_extra: Final = build_constructor(Extra)


class _MenuReader:
    """Reads the rows of a menu into records, and collects when what is sold out becomes available again."""

    def __init__(self, row: sql.Row) -> None:
        self._row, self._moment = row, clock.now()
        self._variants = _group_by_item(row["variants"])
        self._groups = _group_by_item(row["groups"])
        self._gallery = _group_by_item(row["gallery"])
        self._return_times: list[datetime] = []

    def read(self) -> MenuData:
        categories = tuple([MenuCategory(**each) for each in orjson.loads(self._row["categories"])])
        items = tuple([self._to_item(each) for each in orjson.loads(self._row["items"])])
        return MenuData(self._row, self._moment, categories, items, tuple(self._return_times))

    def _to_item(self, row: Mapping[str, Any]) -> Item:
        item_id, name = row["id"], row["name"]
        is_sold_out, until = self._read_flag(row)
        return _make_item(
            (
                item_id,
                row["category_id"],
                name,
                row["description"],
                row["image_url"],
                row["price_minor"],
                row["tax_rate_ppm"],
                is_sold_out,
                until,
                row["is_popular"],
                row["is_active"],
                row["position"],
                row["stock"],
                row["allow_backorder"],
                row["attributes"],
                tuple([_to_variant(each) for each in self._variants.get(item_id, ())]),
                tuple([self._to_group(each) for each in self._groups.get(item_id, ())]),
                tuple([_to_picture(each, name) for each in self._gallery.get(item_id, ())]),
            )
        )

    def _to_group(self, row: Mapping[str, Any]) -> ExtraGroup:
        return _make_group(
            (
                row["id"],
                row["name"],
                row["min_count"],
                row["max_count"],
                row["free_count"],
                row["allows_repeats"],
                tuple([self._to_extra(each) for each in row["extras"]]),
            )
        )

    def _to_extra(self, row: Mapping[str, Any]) -> Extra:
        # Most are not sold out, and menus have more extras than anything else.
        is_sold_out = row["is_sold_out"] and self._read_flag(row)[0]
        return _make_extra((row["id"], row["name"], row["price_minor"], is_sold_out))

    def _read_flag(self, row: Mapping[str, Any]) -> tuple[bool, datetime | None]:
        """Return whether an item or extra is sold out by its flag, and until when; a flag whose time is over is off."""
        if not row["is_sold_out"] or row["sold_out_until"] is None:
            return row["is_sold_out"], None
        until = datetime.fromisoformat(row["sold_out_until"])
        if until <= self._moment:
            return False, None
        self._return_times.append(until)
        return True, until


def _to_variant(row: Mapping[str, Any]) -> ItemVariant:
    return _make_variant(
        (
            row["id"],
            row["name"],
            row["sku"],
            row["barcode"],
            row["options"],
            row["price_minor"],
            row["compare_at_price_minor"],
            row["stock"],
            row["is_active"],
        )
    )


def _to_picture(row: Mapping[str, Any], item_name: str) -> Picture:
    alt = row["alt"] or item_name
    if row["url"] is not None:
        return Picture(None, row["url"], alt)
    sizes = tuple([_to_size(row, size) for size in row["sizes"]])
    return Picture(row["photo_id"], sizes[-1].url, alt, sizes)


def _to_size(row: Mapping[str, Any], size: Mapping[str, int]) -> PictureSize:
    url = to_url(row["store_id"], row["hash"], size["width"])
    return PictureSize(url, size["width"], size["height"])


def _group_by_item(text: str) -> Mapping[int, Iterable[Mapping[str, Any]]]:
    found: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in orjson.loads(text):
        found[row["item_id"]].append(row)
    return found
