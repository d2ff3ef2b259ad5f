"""Keeps fitments in step with what items say: called in the transaction that writes an item, with its row locked.

Two items that name the same new vehicles at once wait for each other on the vehicles' keys, which both take in order.
An item holds the fitments it joins with ``FOR KEY SHARE``, so that none is pruned under it.
"""

import hashlib
from collections.abc import Mapping

from comanda.contracts.verticals import Values
from comanda.db import sql
from comanda.errors import Unavailable
from comanda.stores.models import Store

from comanda_carparts.schemas import Fitment, FitmentFields, search_key

ATTEMPTS = 5

MAKE = """
    INSERT INTO carparts_fitment (store_id, owner_id, key, make, model, make_key, model_key, year_from, year_to,
                                  engine, trim, note)
    SELECT $1, $2, f.* FROM unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[],
                                   $9::smallint[], $10::text[], $11::text[], $12::text[])
        AS f (key, make, model, make_key, model_key, year_from, year_to, engine, trim, note)
    ORDER BY f.key
    ON CONFLICT DO NOTHING
"""
FIND = """
    SELECT id FROM carparts_fitment WHERE store_id = $1 AND owner_id = $2 AND key = ANY($3::bytea[])
    ORDER BY key FOR KEY SHARE
"""
UNLINK = """
    DELETE FROM carparts_fitment_item
    WHERE item_id = $1 AND owner_id = $2 AND fitment_id <> ALL($3::bigint[])
"""
LINK = """
    INSERT INTO carparts_fitment_item (item_id, owner_id, fitment_id) SELECT $1, $2, unnest($3::bigint[])
    ON CONFLICT DO NOTHING
"""


async def fitments_saved(store: Store, item_id: int, values: Values) -> None:
    """Make the item fit the vehicles that it names now, and no others."""
    named = {_digest(fitment): fitment for fitment in FitmentFields.model_validate(values).fitments}
    ids = await _ids(store, named) if named else []
    await sql.execute(UNLINK, item_id, store.owner_id, ids)
    await sql.execute(LINK, item_id, store.owner_id, ids)


async def _ids(store: Store, named: Mapping[bytes, Fitment]) -> list[int]:
    """Return the ids of the store's fitments of these keys, which are made where they are missing."""
    columns = [list(column) for column in zip(*(_row(key, each) for key, each in named.items()), strict=True)]
    for _ in range(ATTEMPTS):
        rows = await sql.fetch(FIND, store.id, store.owner_id, list(named))
        if len(rows) == len(named):
            return [row["id"] for row in rows]
        await sql.execute(MAKE, store.id, store.owner_id, *columns)
    raise Unavailable


def _digest(fitment: Fitment) -> bytes:
    # No text holds the separator, as control characters are dropped from all of them.
    return hashlib.sha256("\x1f".join(fitment.key()).encode()).digest()


def _row(key: bytes, fitment: Fitment) -> tuple[object, ...]:
    return (
        key,
        fitment.make,
        fitment.model,
        search_key(fitment.make),
        search_key(fitment.model),
        fitment.year_from,
        fitment.year_to,
        fitment.engine,
        fitment.trim,
        fitment.note,
    )
