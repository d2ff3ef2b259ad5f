"""What records of an owner are called: the numbers of orders, the names of items and categories."""

from collections.abc import Iterable, Mapping
from typing import Final

from comanda.contracts import Caller
from comanda.platform.db import sql

SELECT_ORDERS: Final = "SELECT id, number AS said FROM core_order_v1 WHERE owner_id = $1 AND id = ANY($2::bigint[])"
SELECT_ITEMS: Final = "SELECT id, name AS said FROM core_menu_item_v1 WHERE owner_id = $1 AND id = ANY($2::bigint[])"
SELECT_CATEGORIES: Final = (
    "SELECT id, name AS said FROM core_menu_category_v1 WHERE owner_id = $1 AND id = ANY($2::bigint[])"
)


async def load_names(caller: Caller, statement: str, ids: Iterable[int | None]) -> Mapping[int | None, str]:
    """Return what the owner's records with these ids are called, by id; ``statement`` is one of this module."""
    wanted = sorted({id for id in ids if id is not None})
    rows = await sql.fetch(statement, caller.owner_id, wanted) if wanted else []
    return {row["id"]: str(row["said"]) for row in rows}
