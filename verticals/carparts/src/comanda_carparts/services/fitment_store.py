"""The fitments of items: saved in the transaction that writes the item and locks its row, and pruned when unused.

Two items that add the same new vehicles at once wait for each other on the fitments' keys, which both insert in order.
An item locks the fitments it joins with ``FOR KEY SHARE``, so that none of them is pruned in the meantime.
"""

import hashlib
from collections.abc import Mapping

from comanda.basics import Unavailable
from comanda.contracts import StoreKey, Values
from comanda.platform.db import sql

from comanda_carparts.schemas import Fitment, FitmentFields, to_search_key

MAX_ATTEMPTS = 5
PRUNE_CHUNK_SIZE = 1000

INSERT_FITMENTS = """
    INSERT INTO carparts_fitment (store_id, owner_id, key, make, model, make_key, model_key, year_from, year_to,
                                  engine, trim, note)
    SELECT $1, $2, f.* FROM unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[],
                                   $9::smallint[], $10::text[], $11::text[], $12::text[])
        AS f (key, make, model, make_key, model_key, year_from, year_to, engine, trim, note)
    ORDER BY f.key
    ON CONFLICT DO NOTHING
"""
SELECT_FITMENT_IDS = """
    SELECT id FROM carparts_fitment WHERE store_id = $1 AND owner_id = $2 AND key = ANY($3::bytea[])
    ORDER BY key FOR KEY SHARE
"""
DELETE_OTHER_FITMENTS = """
    DELETE FROM carparts_fitment_item
    WHERE item_id = $1 AND owner_id = $2 AND fitment_id <> ALL($3::bigint[])
"""
INSERT_ITEM_FITMENTS = """
    INSERT INTO carparts_fitment_item (item_id, owner_id, fitment_id) SELECT $1, $2, unnest($3::bigint[])
    ON CONFLICT DO NOTHING
"""

# A fitment that an item is about to join is locked by that item and skipped.
LOCK_UNUSED_FITMENTS = """
    SELECT f.id, f.owner_id FROM carparts_fitment f
    WHERE f.id > $1 AND NOT EXISTS (
        SELECT FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id)
    ORDER BY f.id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
# Checked again under the lock: an item may have joined a fitment just before.
DELETE_UNUSED_FITMENTS = """
    DELETE FROM carparts_fitment f USING unnest($1::bigint[], $2::bigint[]) AS gone (id, owner_id)
    WHERE f.id = gone.id AND f.owner_id = gone.owner_id AND NOT EXISTS (
        SELECT FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id)
"""


async def save_item_fitments(store: StoreKey, item_id: int, values: Values) -> None:
    """Replace an item's fitments by those in its values."""
    named = {_hash_fitment(fitment): fitment for fitment in FitmentFields.model_validate(values).fitments}
    ids = await _get_or_create_ids(store, named) if named else []
    await sql.execute(DELETE_OTHER_FITMENTS, item_id, store.owner_id, ids)
    await sql.execute(INSERT_ITEM_FITMENTS, item_id, store.owner_id, ids)


async def prune_fitments() -> int:
    """Delete fitments without items, one chunk per transaction, and return how many were deleted."""
    count, last = 0, 0
    while True:
        async with sql.transaction():
            rows = await sql.fetch(LOCK_UNUSED_FITMENTS, last, PRUNE_CHUNK_SIZE)
            if not rows:
                return count
            last = rows[-1]["id"]
            ids, owner_ids = [row["id"] for row in rows], [row["owner_id"] for row in rows]
            count += await sql.execute(DELETE_UNUSED_FITMENTS, ids, owner_ids)


async def _get_or_create_ids(store: StoreKey, named: Mapping[bytes, Fitment]) -> list[int]:
    """Return the ids of the store's fitments with these keys, creating those that are missing."""
    columns = [list(column) for column in zip(*(_to_row(key, each) for key, each in named.items()), strict=True)]
    for _ in range(MAX_ATTEMPTS):
        rows = await sql.fetch(SELECT_FITMENT_IDS, store.id, store.owner_id, list(named))
        if len(rows) == len(named):
            return [row["id"] for row in rows]
        await sql.execute(INSERT_FITMENTS, store.id, store.owner_id, *columns)
    raise Unavailable


def _hash_fitment(fitment: Fitment) -> bytes:
    # Control characters are stripped from every text, so none of them contains the separator.
    return hashlib.sha256("\x1f".join(fitment.identity()).encode()).digest()


def _to_row(key: bytes, fitment: Fitment) -> tuple[object, ...]:
    return (
        key,
        fitment.make,
        fitment.model,
        to_search_key(fitment.make),
        to_search_key(fitment.model),
        fitment.year_from,
        fitment.year_to,
        fitment.engine,
        fitment.trim,
        fitment.note,
    )
