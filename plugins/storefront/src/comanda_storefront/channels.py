"""Where a storefront's orders come in, and the store that a storefront token stands for."""

from dataclasses import replace
from typing import Final

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound
from comanda.orders.draft import OrderChannel, OrderLimits

LIMITS: Final = OrderLimits(lines=40, quantity=30)
# Both belong to one audience: a key that placed an order over one of them finds it over the other.
CHANNEL: Final = OrderChannel(
    "storefront", "storefront", LIMITS, keeps_hours=True, collection_only=True, is_anonymous=True
)
AGENT_CHANNEL: Final = replace(CHANNEL, source="mcp")

IS_PUBLISHED = "SELECT is_published FROM core_store WHERE id = $1 AND owner_id = $2"


def store_of(caller: Caller) -> int:
    """Return the id of a token's store. Raises ``NotFound`` for a token without one."""
    if caller.store_id is None:
        raise NotFound
    return caller.store_id


async def published_store_of(caller: Caller) -> int:
    """Return the id of a token's store. Raises ``NotFound`` for one that is not published, as for a missing one."""
    store_id = store_of(caller)
    if not await sql.fetch_value(IS_PUBLISHED, store_id, caller.owner_id):
        raise NotFound
    return store_id
