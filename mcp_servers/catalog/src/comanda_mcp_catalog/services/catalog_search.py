"""Search of stores and items across owners: only published, listed stores of owners who are not suspended."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Final

import orjson
from babel.core import get_global
from comanda.basics import VECTOR, WORDS, get_exponent, prefix_query, split_words
from comanda.platform import runtime
from comanda.platform.db import sql

STORES_PER_PAGE: Final = 20
GROUPS_PER_PAGE: Final = 10
ITEMS_PER_STORE: Final = 10
MAX_CANDIDATES: Final = 2000

# Without the phone number and the owner's address.
STORE_COLUMNS: Final = """s.id, s.title, s.slug, s.store_type, s.address, s.country, s.currency, s.timezone, s.hours,
    s.is_published"""
ITEM_COLUMNS: Final = "s.item_id, s.name, s.description, s.is_popular, s.attributes, s.price_minor"
IS_LISTED: Final = "s.is_published AND s.is_listed AND NOT o.is_suspended"
ADDRESS_LIKE: Final = f"' ' || {WORDS.format('s.address')} || ' ' LIKE"

SELECT_STORES: Final = f"""
    SELECT {STORE_COLUMNS}
    FROM core_store_v1 s
    JOIN core_owner_v1 o ON o.id = s.owner_id
    LEFT JOIN unnest($3::text[], $4::text[]) AS kind (store_type, label) ON kind.store_type = s.store_type
    WHERE {IS_LISTED} AND ($2::text IS NULL OR {ADDRESS_LIKE} $2)
      AND ($1::text IS NULL OR {
    VECTOR.format('''s.title || ' ' || coalesce(kind.label, '') || ' ' || coalesce((
          SELECT string_agg(c.name, ' ') FROM core_menu_category_v1 c
          WHERE c.store_id = s.id AND c.owner_id = s.owner_id AND c.is_active), '')''')
} @@ $1::text::tsquery)
    ORDER BY $1::text IS NULL OR {VECTOR.format("s.title")} @@ $1::text::tsquery DESC, s.title, s.id
    LIMIT $5 OFFSET $6
"""
SELECT_STORE: Final = f"""
    SELECT {STORE_COLUMNS}, (
        SELECT coalesce(json_agg(c.name ORDER BY c.position, c.id), '[]') FROM core_menu_category_v1 c
        WHERE c.store_id = s.id AND c.owner_id = s.owner_id AND c.is_active) AS categories
    FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE {IS_LISTED} AND (s.id = $1::bigint OR s.slug = $2::text)
"""
# Each half of the union can use its own index. The ids are an array, because the planner cannot estimate how many items
# match, and would otherwise read all items or join every item to every store. If very many items match a word, not all
# of them are ranked.
SELECT_ITEMS: Final = f"""
    WITH fitting AS (
        SELECT i.id FROM core_menu_item_v1 i
        WHERE {VECTOR.format("i.name || ' ' || coalesce(i.description, '')")} @@ $1::text::tsquery
        UNION
        SELECT i.id
        FROM core_menu_category_v1 c JOIN core_menu_item_v1 i ON i.category_id = c.id AND i.owner_id = c.owner_id
        WHERE {VECTOR.format("c.name")} @@ $1::text::tsquery
    ), sold AS (
        SELECT {STORE_COLUMNS}, s.owner_id,
               i.id AS item_id, i.name, i.description, i.is_popular, i.attributes, i.price_minor AS base_minor
        FROM core_menu_item_v1 i
        JOIN core_menu_category_v1 c ON c.id = i.category_id AND c.owner_id = i.owner_id
        JOIN core_store_v1 s ON s.id = i.store_id AND s.owner_id = i.owner_id
        JOIN core_owner_v1 o ON o.id = s.owner_id
        LEFT JOIN unnest($7::text[], $8::int[]) AS rare (code, scale) ON rare.code = s.currency
        WHERE i.id = ANY(ARRAY(SELECT id FROM fitting))
          AND {IS_LISTED} AND ($5::text IS NULL OR {ADDRESS_LIKE} $5)
          AND i.is_active AND c.is_active AND i.attributes @> $3::jsonb
          AND NOT (i.is_sold_out AND (i.sold_out_until IS NULL OR i.sold_out_until > $4))
          AND (i.stock IS NULL OR i.stock > 0 OR i.allow_backorder)
          AND ($6::numeric IS NULL OR i.price_minor <= $6 * coalesce(rare.scale, 100) OR EXISTS (
              SELECT FROM core_variant_v1 v
              WHERE v.item_id = i.id AND v.owner_id = i.owner_id AND v.is_active
                AND v.price_minor <= $6 * coalesce(rare.scale, 100)))
        ORDER BY lower(i.name) = $2 DESC, i.is_popular DESC, i.id LIMIT {MAX_CANDIDATES}
    ), scored AS (
        SELECT s.*,
               ({WORDS.format("s.name")} = $2)::int + ({VECTOR.format("s.name")} @@ $1::text::tsquery)::int AS score,
               least(s.base_minor, (
                   SELECT min(v.price_minor) FROM core_variant_v1 v
                   WHERE v.item_id = s.item_id AND v.owner_id = s.owner_id AND v.is_active)) AS price_minor
        FROM sold s
    ), placed AS (
        SELECT s.*, max(s.score) OVER (PARTITION BY s.id) AS best,
               row_number() OVER (PARTITION BY s.id ORDER BY s.score DESC, s.is_popular DESC, s.price_minor, s.item_id)
                   AS place
        FROM scored s
    ), grouped AS (
        SELECT s.*, dense_rank() OVER (ORDER BY s.best DESC, s.id) AS standing
        FROM placed s WHERE s.place <= {ITEMS_PER_STORE}
    )
    SELECT {STORE_COLUMNS}, {ITEM_COLUMNS}, s.standing FROM grouped s
    WHERE s.standing > $9 AND s.standing <= $10 ORDER BY s.standing, s.place
"""


async def find_stores(keyword: str, city: str, page: int) -> list[sql.Row]:
    """Return the rows of a page of stores, and one more if there is a next page."""
    labels = {vertical.store_type: vertical.label for vertical in runtime.registry().verticals.values()}
    return await sql.fetch(
        SELECT_STORES,
        prefix_query(split_words(keyword)) or None,
        _to_address_pattern(city),
        list(labels),
        [f"{code} {label}" for code, label in labels.items()],
        STORES_PER_PAGE + 1,
        (page - 1) * STORES_PER_PAGE,
    )


async def find_store(id: int | None, slug: str | None) -> sql.Row | None:
    """Return the row of a store, with its ``categories`` as a JSON array of names, or None."""
    return await sql.fetch_one(SELECT_STORE, id, slug)


async def find_items(
    sought: Sequence[str], fields: Mapping[str, bool], max_price: float | None, city: str, page: int, moment: datetime
) -> list[sql.Row]:
    """Return the rows of the items of a page of stores, store by store, and of one more store if there is a next page.

    ``fields`` are fields of items that must have these values.
    """
    rare = _get_uncommon_scales()
    return await sql.fetch(
        SELECT_ITEMS,
        prefix_query(list(sought)),
        " ".join(sought),
        orjson.dumps(fields).decode(),
        moment,
        _to_address_pattern(city),
        None if max_price is None else Decimal(repr(max_price)),
        list(rare),
        list(rare.values()),
        (page - 1) * GROUPS_PER_PAGE,
        page * GROUPS_PER_PAGE + 1,
    )


def _to_address_pattern(city: str) -> str | None:
    found = split_words(city)
    return f"% {' '.join(found)} %" if found else None


@cache
def _get_uncommon_scales() -> dict[str, int]:
    """Return the number of minor units per unit for currencies that are not divided by 100."""
    scales = {code: 10 ** get_exponent(code) for code in get_global("all_currencies")}
    return {code: scale for code, scale in scales.items() if scale != 100}
