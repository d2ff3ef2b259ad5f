"""The part of Deliverect in placing its orders, and the money that its channels have collected."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.platform.db import sql
from comanda.web import N_
from comanda_foreign_orders.api import ForeignChannel, LinkState, create_participant

DELIVERECT: Final = PaymentMethod("deliverect", N_("Paid online, through Deliverect"), is_offered=False)
LINK_ORDER: Final = f"""
    UPDATE deliverect_order SET order_id = $3, state = '{LinkState.PLACED}', document = NULL
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}' AND NOT is_cancelled
"""


async def link_order(owner_id: int, link_id: int, order_id: int) -> int:
    """Link the row of an order to the order that it became, unless it was decided on or cancelled meanwhile."""
    return await sql.execute(LINK_ORDER, owner_id, link_id, order_id)


CHANNEL: Final = ForeignChannel("deliverect", "Deliverect", DELIVERECT, link_order)
PARTICIPANT: Final = create_participant(CHANNEL)
