"""The number of menu items, which an owner's plan may limit."""

from typing import Final

from comanda.contracts.entitlements import Feature
from comanda.platform.db import sql


async def count_items(owner_id: int) -> int:
    """Return the number of items in the menus of all of an owner's stores."""
    return int(await sql.fetch_value("SELECT count(*) FROM core_menu_item WHERE owner_id = $1", owner_id))


ITEMS: Final = Feature("items", "Menu items", quota_unit="items", is_limit=True, count_used=count_items)
