"""Orders of a store as its staff list and place them."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import Caller, IdempotentResult, OrderBody, PageRequest, RecordPage, Unvalidated
from comanda.orders import (
    OWNER_CHANNEL,
    Order,
    OrderChannel,
    OrderDraft,
    OrderFilter,
    OrderKeys,
    PlaceOrder,
    get_store_scope,
    parse_status,
    placement,
    quotes,
    search_orders,
)

from comanda_staff.models import Member
from comanda_staff.records import Server
from comanda_staff.schemas.orders import StaffOrderFilter

# Staff may place orders outside opening hours.
STAFF_CHANNEL: Final = OrderChannel("staff", "pos", OWNER_CHANNEL.limits, is_served=True)


async def list_orders(caller: Caller, page: PageRequest, query: StaffOrderFilter) -> RecordPage[Order]:
    """List the store's orders, newest first. Raises ``ValidationFailed`` for an unknown status."""
    scope = await get_store_scope(caller, caller.known_store_id)
    status = parse_status(query.status)
    filters = OrderFilter(status, query.type, query.table, since=query.since, is_due=query.is_due)
    return await search_orders(scope, filters, page)


async def place_order(caller: Caller, body: Unvalidated[OrderBody], keys: OrderKeys) -> IdempotentResult[Order]:
    """Place an order at the table or counter; idempotency, errors and events are those of every order."""
    return await placement.place_order(caller, PlaceOrder(STAFF_CHANNEL, caller.known_store_id, body, keys))


async def list_servers(caller: Caller) -> list[Server]:
    """Return the active members of the store, by name."""
    members = Member.filter(owner_id=caller.owner_id, store_id=caller.known_store_id, is_active=True)
    return [Server(id, name) for id, name in await members.order_by("name", "id").values_list("id", "name")]


async def find_server(caller: Caller, staff_id: int) -> str:
    """Return a member of the store as an order names who serves it. Raises ``ValidationFailed`` for another."""
    is_known = await Member.exists(
        id=staff_id, owner_id=caller.owner_id, store_id=caller.known_store_id, is_active=True
    )
    if not is_known:
        raise ValidationFailed(staff_id=[Sentence("This store has no active member of staff %(id)s.", id=staff_id)])
    return f"staff:{staff_id}"


async def quote_order(caller: Caller, body: OrderBody) -> OrderDraft:
    """Quote an order, without placing it. Raises ``ValidationFailed`` by field."""
    return await quotes.quote_order(caller, STAFF_CHANNEL, caller.known_store_id, body)
