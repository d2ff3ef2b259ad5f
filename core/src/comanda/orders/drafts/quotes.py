"""Quotes: the totals of an order, without placing it."""

from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.requests.callers import Caller
from comanda.menu import snapshot
from comanda.orders.drafts.draft import OrderChannel, OrderDraft, draft_order, prepare_order
from comanda.stores.services import require_store


async def quote_order(caller: Caller, channel: OrderChannel, store_id: int, body: OrderBody) -> OrderDraft:
    """Return the order as it would be placed. Raises ``NotFound``, and ``ValidationFailed`` for one that cannot be.

    Nothing is reserved: stock and times that are taken meanwhile are missed by the placement.
    """
    store = await require_store(caller, store_id)
    menu = await snapshot.get_snapshot(store_id, store["menu_version"])
    draft = draft_order(body, menu, channel, caller, prepared=await prepare_order(body, menu, caller))
    draft.require_valid()
    return draft
