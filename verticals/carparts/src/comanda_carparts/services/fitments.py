"""Vehicles that a store has parts for, and the parts that fit them."""

from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_carparts.records import Make, StoreFitment
from comanda_carparts.schemas import FitmentQuery

IN_USE = """
    f.owner_id = $1 AND f.store_id = $2 AND EXISTS (
        SELECT FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id)
"""
FITMENT_FILTERS = f"""
    {IN_USE} AND ($3::text IS NULL OR f.make_key = $3) AND ($4::text IS NULL OR f.model_key = $4)
    AND ($5::int IS NULL OR (f.year_from <= $5 AND (f.year_to IS NULL OR f.year_to >= $5)))
    AND ($6::bigint IS NULL OR EXISTS (
        SELECT FROM carparts_fitment_item l
        WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id AND l.item_id = $6))
"""
COLUMNS = """
    f.id, f.make, f.model, f.year_from, f.year_to, f.engine, f.trim, f.note, ARRAY(
        SELECT l.item_id FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id
        ORDER BY l.item_id) AS item_ids
"""
SELECT_FITMENTS = f"""
    SELECT {COLUMNS} FROM carparts_fitment f WHERE {FITMENT_FILTERS}
    ORDER BY f.make_key, f.model_key, f.year_from, f.id LIMIT $7 OFFSET $8
"""
COUNT_FITMENTS = f"SELECT count(*) FROM carparts_fitment f WHERE {FITMENT_FILTERS}"
SELECT_FITMENT = f"SELECT {COLUMNS} FROM carparts_fitment f WHERE {IN_USE} AND f.id = $3"
# Makes and models are spelled as in the first fitment that named them.
SELECT_MODELS = f"""
    SELECT DISTINCT ON (f.make_key, f.model_key) f.make_key, f.model_key, f.model,
           first_value(f.make) OVER (PARTITION BY f.make_key ORDER BY f.id) AS make
    FROM carparts_fitment f WHERE {IN_USE} ORDER BY f.make_key, f.model_key, f.id
"""
SELECT_MAKES = f"""
    SELECT m.make, array_agg(m.model ORDER BY m.model_key) AS models FROM ({SELECT_MODELS}) m
    GROUP BY m.make_key, m.make ORDER BY m.make_key LIMIT $3 OFFSET $4
"""
COUNT_MAKES = f"SELECT count(DISTINCT f.make_key) FROM carparts_fitment f WHERE {IN_USE}"


async def list_fitments(
    caller: Caller, store_id: int, query: FitmentQuery, page: PageRequest
) -> RecordPage[StoreFitment]:
    """List the vehicles that the store has parts for, by make, model and year. Blank filters are ignored."""
    await require_store(caller, store_id)
    asked = (caller.owner_id, store_id, query.make or None, query.model or None, query.year, query.item_id)
    rows = await sql.fetch(SELECT_FITMENTS, *asked, page.size(), page.offset())
    records = [sql.to_record(StoreFitment, row) for row in rows]
    return page.of(records, await sql.fetch_value(COUNT_FITMENTS, *asked))


async def get_fitment(caller: Caller, store_id: int, fitment_id: int) -> StoreFitment:
    """Return a fitment. Raises ``NotFound`` for another store's, and for one that no item uses any more."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_FITMENT, caller.owner_id, store_id, fitment_id)
    return sql.to_record(StoreFitment, row)


async def list_makes(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Make]:
    """List the makes that the store has parts for, each with its models."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_MAKES, caller.owner_id, store_id, page.size(), page.offset())
    records = [sql.to_record(Make, row) for row in rows]
    return page.of(records, await sql.fetch_value(COUNT_MAKES, caller.owner_id, store_id))
