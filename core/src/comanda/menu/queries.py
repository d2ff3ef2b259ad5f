"""Query of a store's whole menu in one statement."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from comanda import clock
from comanda.db import sql

STORE_COLUMNS = """s.id, s.owner_id, s.title, s.slug, s.store_type, s.currency, s.timezone, s.is_published,
    s.menu_version, s.stock_version, s.day_start_minutes, s.hours, s.pace, s.tax_rate_ppm, s.is_tax_included,
    s.mode_tax_rates, s.service_charge_ppm, s.service_charge_minor, s.service_charge_modes, s.is_service_charge_taxed,
    o.is_suspended"""

# One JSON array per table, so a single round trip returns everything.
SELECT_MENU = f"""
    SELECT {STORE_COLUMNS},
      (SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'position', c.position,
              'is_active', c.is_active) ORDER BY c.position, c.id), '[]')
       FROM core_menu_category c WHERE c.store_id = s.id AND c.owner_id = s.owner_id) AS categories,
      (SELECT coalesce(json_agg(json_build_object('id', i.id, 'category_id', i.category_id, 'name', i.name,
              'description', i.description, 'image_url', i.image_url, 'price_minor', i.price_minor,
              'tax_rate_ppm', i.tax_rate_ppm, 'is_sold_out', i.is_sold_out, 'sold_out_until', i.sold_out_until,
              'is_popular', i.is_popular, 'is_active', i.is_active, 'position', i.position, 'stock', i.stock,
              'allow_backorder', i.allow_backorder, 'attributes', i.attributes) ORDER BY i.position, i.id), '[]')
       FROM core_menu_item i
       WHERE i.store_id = s.id AND i.owner_id = s.owner_id AND ($2::bigint IS NULL OR i.id = $2)) AS items,
      (SELECT coalesce(json_agg(json_build_object('id', v.id, 'item_id', v.item_id, 'name', v.name, 'sku', v.sku,
              'barcode', v.barcode, 'options', v.options, 'price_minor', v.price_minor,
              'compare_at_price_minor', v.compare_at_price_minor, 'stock', v.stock, 'is_active', v.is_active,
              'position', v.position) ORDER BY v.position, v.id), '[]')
       FROM core_variant v
       WHERE v.store_id = s.id AND v.owner_id = s.owner_id AND ($2::bigint IS NULL OR v.item_id = $2)) AS variants,
      (SELECT coalesce(json_agg(json_build_object('id', g.id, 'item_id', g.item_id, 'name', g.name,
              'min_count', g.min_count, 'max_count', g.max_count, 'free_count', g.free_count,
              'allows_repeats', g.allows_repeats, 'extras', (
                SELECT coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'price_minor', e.price_minor,
                       'is_sold_out', e.is_sold_out, 'sold_out_until', e.sold_out_until)
                       ORDER BY e.position, e.id), '[]')
                FROM core_extra e WHERE e.group_id = g.id AND e.owner_id = g.owner_id)) ORDER BY g.position, g.id),
                '[]')
       FROM core_extra_group g
       WHERE g.store_id = s.id AND g.owner_id = s.owner_id AND ($2::bigint IS NULL OR g.item_id = $2)) AS groups,
      (SELECT coalesce(json_agg(json_build_object('item_id', p.item_id, 'store_id', p.store_id, 'alt', p.alt,
              'url', p.url, 'photo_id', p.photo_id, 'hash', f.hash, 'sizes', f.sizes) ORDER BY p.position, p.id), '[]')
       FROM core_gallery_picture p LEFT JOIN core_photo f ON f.id = p.photo_id AND f.owner_id = p.owner_id
       WHERE p.store_id = s.id AND p.owner_id = s.owner_id AND ($2::bigint IS NULL OR p.item_id = $2)) AS gallery
    FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1
"""


@dataclass(frozen=True, slots=True)
class MenuData:
    """A store's row and the rows of its menu; items contain their ``variants``, ``groups`` and ``gallery``.

    An extra's ``is_sold_out`` is its current value; ``return_times`` are the times at which sold-out items and extras
    become available again.
    """

    store: sql.Row
    categories: list[dict[str, Any]]
    items: list[dict[str, Any]]
    return_times: list[datetime]


async def load_menu(store_id: int, item_id: int | None = None) -> MenuData | None:
    """Return a store and its menu, or only one item of it. The caller checks ``store["owner_id"]``."""
    row = await sql.fetch_one(SELECT_MENU, store_id, item_id)
    if row is None:
        return None
    variants = _group_by_item(row["variants"])
    groups = _group_by_item(row["groups"])
    gallery = _group_by_item(row["gallery"])
    items = orjson.loads(row["items"])
    return_times, moment = [], clock.now()
    for item in items:
        item["variants"] = variants[item["id"]]
        item["groups"] = groups[item["id"]]
        item["gallery"] = gallery[item["id"]]
        return_times += _parse_sold_out_until(item)
        for extra in (extra for group in item["groups"] for extra in group["extras"]):
            return_times += _parse_sold_out_until(extra)
            until = extra["sold_out_until"]
            extra["is_sold_out"] = extra["is_sold_out"] and (until is None or until > moment)
    return MenuData(row, orjson.loads(row["categories"]), items, return_times)


def _parse_sold_out_until(row: dict[str, Any]) -> list[datetime]:
    """Parse the row's ``sold_out_until`` in place, and return it in a list if the row is sold out until then."""
    until = datetime.fromisoformat(row["sold_out_until"]) if row["sold_out_until"] else None
    row["sold_out_until"] = until
    return [until] if until is not None and row["is_sold_out"] else []


def _group_by_item(text: str) -> defaultdict[int, list[dict[str, Any]]]:
    found: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in orjson.loads(text):
        found[row["item_id"]].append(row)
    return found
