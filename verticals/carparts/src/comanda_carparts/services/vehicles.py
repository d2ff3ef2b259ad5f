"""The vehicles that guests of a store choose from, and the parts that fit theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_carparts.schemas import to_search_key
from comanda_carparts.services.fitments import IN_USE, SELECT_MODELS

# What a picker shows; a store with more is searched by its other pages.
MAX_CHOICES: Final = 500
MAX_PARTS: Final = 500
SELECT_MAKES: Final = f"SELECT DISTINCT m.make_key, m.make FROM ({SELECT_MODELS}) m ORDER BY m.make_key LIMIT $3"
SELECT_MODELS_OF_MAKE: Final = f"""
    SELECT m.model FROM ({SELECT_MODELS}) m WHERE m.make_key = $3 ORDER BY m.model_key LIMIT $4
"""
SELECT_YEARS: Final = f"""
    SELECT min(f.year_from) AS first, max(coalesce(f.year_to, $5)) AS last
    FROM carparts_fitment f WHERE {IN_USE} AND f.make_key = $3 AND f.model_key = $4
"""
SELECT_PARTS: Final = f"""
    SELECT l.item_id, array_agg(DISTINCT concat_ws(', ', f.engine, f.trim, f.note))
        FILTER (WHERE coalesce(f.engine, f.trim, f.note) IS NOT NULL) AS notes
    FROM carparts_fitment f JOIN carparts_fitment_item l ON l.fitment_id = f.id AND l.owner_id = f.owner_id
    WHERE {IN_USE} AND f.make_key = $3 AND f.model_key = $4 AND f.year_from <= $5
      AND (f.year_to IS NULL OR f.year_to >= $5)
    GROUP BY l.item_id ORDER BY l.item_id LIMIT $6
"""


@dataclass(frozen=True, slots=True)
class VehiclePart:
    """An item that fits a vehicle; each of ``notes`` limits it to an engine, a trim or the like."""

    item_id: int
    notes: Sequence[str]


async def list_makes(owner_id: int, store_id: int) -> list[str]:
    """List the makes that a store has parts for."""
    return [row["make"] for row in await sql.fetch(SELECT_MAKES, owner_id, store_id, MAX_CHOICES)]


async def list_models(owner_id: int, store_id: int, make: str) -> list[str]:
    """List the models of a make that a store has parts for."""
    rows = await sql.fetch(SELECT_MODELS_OF_MAKE, owner_id, store_id, to_search_key(make), MAX_CHOICES)
    return [row["model"] for row in rows]


async def list_years(owner_id: int, store_id: int, make: str, model: str) -> list[int]:
    """List the years of a model that a store has parts for, latest first; ranges without an end reach to this year."""
    this_year = clock.now().year
    row = await sql.one(SELECT_YEARS, owner_id, store_id, to_search_key(make), to_search_key(model), this_year)
    if row["first"] is None:
        return []
    return list(range(max(row["first"], row["last"]), row["first"] - 1, -1))


async def list_parts(owner_id: int, store_id: int, make: str, model: str, year: int) -> list[VehiclePart]:
    """List the items that fit a vehicle."""
    vehicle = (to_search_key(make), to_search_key(model), year)
    rows = await sql.fetch(SELECT_PARTS, owner_id, store_id, *vehicle, MAX_PARTS)
    return [VehiclePart(row["item_id"], row["notes"] or []) for row in rows]
