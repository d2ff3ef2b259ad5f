"""Query of a store's whole menu in one statement."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from comanda.basics import clock
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, ItemVariant
from comanda.menu.columns import build_object
from comanda.menu.reading.content import read_content
from comanda.menu.records import MenuCategory
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.lookups.store_owners import find_store_owner

STORE_COLUMNS = """s.id, s.owner_id, s.title, s.slug, s.store_type, s.currency, s.timezone, s.is_published,
    s.menu_version, s.stock_version, s.day_start_minutes, s.hours, s.pace, s.tax_rate_ppm, s.is_tax_included,
    s.mode_tax_rates, s.service_charge_ppm, s.service_charge_minor, s.service_charge_modes, s.is_service_charge_taxed,
    o.is_suspended"""

SELECT_EXTRAS = f"""(
    SELECT coalesce(json_agg({build_object(Extra, "e", "sold_out_until")} ORDER BY e.position, e.id), '[]')
    FROM core_extra e WHERE e.group_id = g.id AND e.owner_id = $3)"""
# Few items are compared with a price before, so that is no part of each. Former prices ascend.
COMPARED = "compare_at_price_minor"
SELECT_COMPARED = """
       SELECT coalesce(json_agg(json_build_array(t.id, t.compare_at_price_minor,
              CASE WHEN t.compare_at_price_minor > t.price_minor THEN t.former_prices -> 0 -> 'price' END)), '[]')"""
PRICE_LIST = """'id', l.id, 'name', l.name, 'modes', l.modes, 'channels', l.channels, 'valid_at', l.valid_at,
          'percent_ppm', l.percent_ppm, 'amount_minor', l.amount_minor, 'step_minor', l.step_minor,
          'minus_minor', l.minus_minor, 'category_ids', l.category_ids, 'prices', l.prices"""
# One JSON array per table, so a single round trip returns everything. Each names the owner itself: the rows of a store
# are on one node of a cluster, while the store is on all.
SELECT_MENU = f"""
    SELECT {STORE_COLUMNS},
      (SELECT coalesce(json_agg({build_object(MenuCategory, "c")} ORDER BY c.position, c.id), '[]')
       FROM core_menu_category c WHERE c.store_id = s.id AND c.owner_id = $3) AS categories,
      (SELECT coalesce(json_agg({build_object(Item, "i", without=COMPARED)} ORDER BY i.position, i.id), '[]')
       FROM core_menu_item i
       WHERE i.store_id = s.id AND i.owner_id = $3 AND ($2::bigint[] IS NULL OR i.id = ANY($2))) AS items,
      (SELECT coalesce(json_agg({build_object(ItemVariant, "v", "item_id", without=COMPARED)}
                ORDER BY v.position, v.id), '[]')
       FROM core_variant v
       WHERE v.store_id = s.id AND v.owner_id = $3
         AND ($2::bigint[] IS NULL OR v.item_id = ANY($2))) AS variants,
      ({SELECT_COMPARED}
       FROM core_menu_item t
       WHERE t.store_id = s.id AND t.owner_id = $3 AND t.compare_at_price_minor IS NOT NULL) AS compared_items,
      ({SELECT_COMPARED}
       FROM core_variant t
       WHERE t.store_id = s.id AND t.owner_id = $3 AND t.compare_at_price_minor IS NOT NULL) AS compared_variants,
      (SELECT coalesce(json_agg({build_object(ExtraGroup, "g", "item_id", extras=SELECT_EXTRAS)}
                ORDER BY g.position, g.id), '[]')
       FROM core_extra_group g
       WHERE g.store_id = s.id AND g.owner_id = $3 AND ($2::bigint[] IS NULL OR g.item_id = ANY($2))) AS groups,
      (SELECT coalesce(json_agg(json_build_object('item_id', p.item_id, 'store_id', p.store_id, 'alt', p.alt,
              'url', p.url, 'photo_id', p.photo_id, 'hash', f.hash, 'sizes', f.sizes) ORDER BY p.position, p.id), '[]')
       FROM core_gallery_picture p LEFT JOIN core_photo f ON f.id = p.photo_id AND f.owner_id = p.owner_id
       WHERE p.store_id = s.id AND p.owner_id = $3 AND ($2::bigint[] IS NULL OR p.item_id = ANY($2))) AS gallery,
      (SELECT coalesce(json_agg(json_build_object({PRICE_LIST}) ORDER BY l.position, l.id), '[]')
       FROM core_price_list l WHERE l.store_id = s.id AND l.owner_id = $3 AND l.is_active) AS price_lists
    FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $3
"""


MENU_TEXTS: Final = (
    "categories", "items", "variants", "compared_items", "compared_variants", "groups", "gallery",
)  # fmt: skip
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
    row = await select_menu(store_id, item_ids)
    if row is None:
        return None
    moment = clock.now()
    read = partial(read_content, get_texts(row), moment, runtime.settings().site_url)
    content = read() if len(row["items"]) <= MAX_CHARACTERS_ON_LOOP else await asyncio.to_thread(read)
    return MenuData(row, moment, content.categories, content.items, content.return_times)


async def select_menu(store_id: int, item_ids: Sequence[int] | None = None) -> sql.Row | None:
    """Return a store with its menu as texts for ``read_content``, or only some items of it, or None."""
    owner_id = await find_store_owner(store_id)
    return await sql.fetch_one(SELECT_MENU, store_id, item_ids, owner_id) if owner_id is not None else None


def get_texts(row: sql.Row) -> Mapping[str, str]:
    """Return the texts of a row that have the menu."""
    return {name: row[name] for name in MENU_TEXTS}
