"""The number of stores, which an owner's plan may limit."""

from typing import Final

from comanda.contracts.entitlements import Feature
from comanda.platform.db import sql


async def count_stores(owner_id: int) -> int:
    """Return the number of an owner's stores."""
    return int(await sql.fetch_value("SELECT count(*) FROM core_store WHERE owner_id = $1", owner_id))


STORES: Final = Feature("stores", "Stores", quota_unit="stores", is_limit=True, count_used=count_stores)
