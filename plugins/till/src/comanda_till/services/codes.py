"""The codes of a store's items, which a scanner reads."""

from typing import Final

from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_till.records import ItemCode

# More than a till keeps in its browser are found by name.
MAX_CODES: Final = 10_000
SELECT_CODES: Final = f"""
    SELECT item_id, id AS variation_id, sku, barcode FROM core_variant_v1
    WHERE store_id = $1 AND owner_id = $2 AND is_active AND (sku IS NOT NULL OR barcode IS NOT NULL)
    ORDER BY id DESC LIMIT {MAX_CODES}
"""


async def list_codes(caller: Caller) -> list[ItemCode]:
    """List the codes of the variations that the caller's store sells, the newest first."""
    rows = await sql.fetch(SELECT_CODES, caller.known_store_id, caller.owner_id)
    return [ItemCode(**row) for row in rows]
