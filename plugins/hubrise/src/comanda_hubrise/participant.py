"""The part of HubRise in placing its orders."""

from typing import Final

from comanda.platform.db import sql
from comanda_foreign_orders.api import ForeignChannel, LinkState, create_participant

from comanda_hubrise.payment_methods import HUBRISE

LINK_ORDER: Final = f"""
    UPDATE hubrise_order SET order_id = $3, state = '{LinkState.PLACED}', reason = NULL
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}'
"""


async def link_order(owner_id: int, link_id: int, order_id: int) -> int:
    """Link the row of an order to the order that it became, unless it was decided on meanwhile."""
    return await sql.execute(LINK_ORDER, owner_id, link_id, order_id)


CHANNEL: Final = ForeignChannel("hubrise", "HubRise", HUBRISE, link_order)
PARTICIPANT: Final = create_participant(CHANNEL)
