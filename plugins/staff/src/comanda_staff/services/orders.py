"""Orders of a store as its staff list and place them."""

from typing import Final

from comanda.basics.errors import ValidationFailed
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.paging import PageRequest, RecordPage
from comanda.orders import placement, quotes
from comanda.orders.draft import OrderChannel, OrderDraft
from comanda.orders.idempotency import OrderKeys
from comanda.orders.placement import OWNER_CHANNEL, PlaceOrder
from comanda.orders.records import Order
from comanda.orders.search import OrderFilter, get_store_scope, parse_status, search

from comanda_staff.models import Member
from comanda_staff.schemas.orders import StaffOrderFilter

# Staff may place orders outside opening hours.
STAFF_CHANNEL: Final = OrderChannel("staff", "pos", OWNER_CHANNEL.limits)


async def list_orders(caller: Caller, page: PageRequest, query: StaffOrderFilter) -> RecordPage[Order]:
    """List the store's orders, newest first. Raises ``ValidationFailed`` for an unknown status."""
    scope = await get_store_scope(caller, caller.known_store_id)
    status = parse_status(query.status)
    return await search(scope, OrderFilter(status, query.type, query.table, since=query.since), page)


async def place_order(caller: Caller, body: Unvalidated[OrderBody], keys: OrderKeys) -> IdempotentResult[Order]:
    """Place an order at the table or counter; idempotency, errors and events are those of every order."""
    return await placement.place_order(caller, PlaceOrder(STAFF_CHANNEL, caller.known_store_id, body, keys))


async def find_server(caller: Caller, staff_id: int) -> str:
    """Return a member of the store as an order names who serves it. Raises ``ValidationFailed`` for another."""
    is_known = await Member.exists(
        id=staff_id, owner_id=caller.owner_id, store_id=caller.known_store_id, is_active=True
    )
    if not is_known:
        raise ValidationFailed(staff_id=[f"This store has no active member of staff {staff_id}."])
    return f"staff:{staff_id}"


async def quote_order(caller: Caller, body: OrderBody) -> OrderDraft:
    """Quote an order, without placing it. Raises ``ValidationFailed`` by field."""
    return await quotes.quote_order(caller, STAFF_CHANNEL, caller.known_store_id, body)
