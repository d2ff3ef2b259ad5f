"""Pages of a menu for owners: its categories with counts, and its items by words, category and availability."""

from typing import Final

from comanda.basics import clock
from comanda.basics.errors import require_found
from comanda.basics.text_search import VECTOR, escape_like, prefix_query, split_words
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.menu.bulk_schemas import ItemListQuery
from comanda.menu.capabilities.orderability import list_menu_orderability
from comanda.menu.reading.queries import load_menu
from comanda.menu.records import CategorySummary, StoreItem
from comanda.platform.db import sql
from comanda.stores.records import find_vertical
from comanda.stores.services import require_store

# By its flag or by its own stock, as the menu of guests decides; $3 is the time.
IS_SOLD_OUT: Final = """((i.is_sold_out AND (i.sold_out_until IS NULL OR i.sold_out_until > $3))
    OR (coalesce(i.stock, 1) <= 0 AND NOT i.allow_backorder))"""
SELECT_CATEGORIES: Final = f"""
    SELECT c.id, c.name, c.position, c.is_active, count(i.id) AS items_count,
        count(i.id) FILTER (WHERE NOT i.is_active) AS hidden_count,
        count(i.id) FILTER (WHERE i.is_active AND {IS_SOLD_OUT}) AS sold_out_count
    FROM core_menu_category c
    LEFT JOIN core_menu_item i ON i.category_id = c.id AND i.owner_id = c.owner_id
    WHERE c.store_id = $1 AND c.owner_id = $2
    GROUP BY c.id, c.name, c.position, c.is_active ORDER BY c.position, c.id
"""
# Found first and by their own indexes, because comparing words of thousands of items takes longer than the rest.
SELECT_ITEMS: Final = f"""
    WITH found AS MATERIALIZED (
        SELECT m.id FROM core_menu_item m
        WHERE m.store_id = $1 AND m.owner_id = $2 AND $6::text IS NOT NULL
          AND {VECTOR.format("m.name || ' ' || coalesce(m.description, '')")} @@ to_tsquery('simple'::regconfig, $6)
        UNION
        SELECT v.item_id FROM core_variant v
        WHERE v.store_id = $1 AND v.owner_id = $2 AND $6 IS NOT NULL AND (v.sku ILIKE $7 OR v.barcode ILIKE $7))
    SELECT i.id, count(*) OVER () AS total
    FROM core_menu_item i JOIN core_menu_category c ON c.id = i.category_id AND c.owner_id = i.owner_id
    WHERE i.store_id = $1 AND i.owner_id = $2 AND ($4::bigint IS NULL OR i.category_id = $4)
      AND ($5::text IS NULL OR CASE $5 WHEN 'hidden' THEN NOT i.is_active
           WHEN 'sold_out' THEN i.is_active AND {IS_SOLD_OUT} ELSE i.is_active AND NOT {IS_SOLD_OUT} END)
      AND ($6::text IS NULL OR i.id IN (SELECT id FROM found))
    ORDER BY c.position, c.id, i.position, i.id LIMIT $8 OFFSET $9
"""


async def list_categories(caller: Caller, store_id: int) -> list[CategorySummary]:
    """List a store's categories in their order. Raises ``NotFound``."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_CATEGORIES, store_id, caller.owner_id, clock.now())
    return [sql.to_record(CategorySummary, row) for row in rows]


async def list_items(caller: Caller, store_id: int, query: ItemListQuery, page: PageRequest) -> RecordPage[StoreItem]:
    """List items by category and position. Raises ``NotFound``."""
    await require_store(caller, store_id)
    words = split_words(query.search or "")
    rows = await sql.fetch(
        SELECT_ITEMS,
        store_id,
        caller.owner_id,
        clock.now(),
        query.category_id,
        query.availability,
        prefix_query(words) if query.search else None,
        escape_like(query.search or "") + "%",
        page.size(),
        page.offset(),
    )
    data = require_found(await load_menu(store_id, [row["id"] for row in rows]))
    vertical, currency = find_vertical(data.store["store_type"]), data.store["currency"]
    limited = list_menu_orderability(data)
    by_id = {item.id: StoreItem(item, vertical, currency, limited.get(item.id)) for item in data.items}
    found = [by_id[row["id"]] for row in rows if row["id"] in by_id]
    return page.of(found, rows[0]["total"] if rows else 0)
