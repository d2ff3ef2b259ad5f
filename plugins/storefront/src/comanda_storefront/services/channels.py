"""The sales channels of a storefront, and the store of a storefront token."""

from dataclasses import replace
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Caller
from comanda.orders import OrderChannel, OrderLimits
from comanda.platform.db import sql

ORDER_LIMITS: Final = OrderLimits(lines=40, quantity=30)
# Both channels have the same audience: an idempotency key used in one finds its order in the other.
STOREFRONT_CHANNEL: Final = OrderChannel(
    "storefront", "storefront", ORDER_LIMITS, keeps_hours=True, collection_only=True, is_anonymous=True
)
AGENT_CHANNEL: Final = replace(STOREFRONT_CHANNEL, source="mcp")

SELECT_IS_PUBLISHED = "SELECT is_published FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def get_published_store_id(caller: Caller) -> int:
    """Return the id of a token's store. Raises ``NotFound`` for one that is not published, as for a missing one."""
    store_id = caller.known_store_id
    if not await sql.fetch_value(SELECT_IS_PUBLISHED, store_id, caller.owner_id):
        raise NotFound
    return store_id
