"""Orders: looking for them, reading one, moving it on."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.mcp import Tool, ToolCall
from comanda.contracts.paging import PageRequest
from comanda.errors import ValidationFailed
from comanda.mcp.store_selection import select_store
from comanda.orders import queries
from comanda.orders.schemas import OrderOut
from comanda.orders.status import set_status
from comanda.stores import services as stores

from comanda_mcp_admin.queries import find_orders
from comanda_mcp_admin.schemas.orders import GetOrder, ListOrders, OrderPage, UpdateOrderStatus

ON = ("admin",)
DAY: Final = timedelta(days=1)
LONGEST: Final = 366 * DAY


async def list_orders(call: ToolCall, arguments: ListOrders) -> dict[str, Any]:
    """List orders, newest first."""
    caller, store_id = call.known_caller, await select_store(call, arguments)
    page, search = PageRequest(arguments.page, None), arguments.search or None
    if search is None and arguments.from_ is None and arguments.to is None:
        found = await queries.list_orders(caller, store_id, page, arguments.status)
        return {**found, "from": None, "to": None}
    zone = ZoneInfo((await stores.get_settings(caller, store_id))["timezone"])
    first, last = _days(arguments.from_, arguments.to, clock.now().astimezone(zone).date())
    since, before = _midnight(first, zone), _midnight(last + DAY, zone)
    found = await find_orders(caller, store_id, since, before, arguments.status, search, page)
    return {**found, "from": first, "to": last}


async def get_order(call: ToolCall, arguments: GetOrder) -> dict[str, Any]:
    """Read a whole order."""
    store_id = await select_store(call, arguments)
    return await queries.get_order(call.known_caller.owner_id, store_id, arguments.order_id)


async def update_order_status(call: ToolCall, arguments: UpdateOrderStatus) -> dict[str, Any]:
    """Set an order's kitchen status."""
    store_id = await select_store(call, arguments)
    return await set_status(call.known_caller, store_id, arguments.order_id, arguments.status, arguments.note)


def _days(first: date | None, last: date | None, today: date) -> tuple[date, date]:
    """Complete a range of days, both included. Raises ``ValidationFailed`` for one that is too long or backwards."""
    if last is None:
        last = today if first is None else max(first, min(today, first + LONGEST - DAY))
    if first is None:
        first = last - LONGEST + DAY
    if first > last:
        raise ValidationFailed({"from": ["Must not be after to."]})
    if last - first >= LONGEST:
        raise ValidationFailed(to=[f"At most {LONGEST.days} days can be listed at once."])
    return first, last


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


TOOLS = (
    Tool(
        name="list_orders",
        title="List orders",
        description=(
            "Lists a store's orders without their lines, newest first, 30 per page. Narrow them by the kitchen's "
            "state, by days in the store's time zone, and by a search; all that is given must fit."
        ),
        servers=ON,
        arguments=ListOrders,
        result=OrderPage,
        handler=list_orders,
        scope="orders:read",
        is_read_only=True,
    ),
    Tool(
        name="get_order",
        title="Show an order",
        description="Shows a whole order: lines with variations and extras, totals, customer, driver, timeline.",
        servers=ON,
        arguments=GetOrder,
        result=OrderOut,
        handler=get_order,
        scope="orders:read",
        is_read_only=True,
    ),
    Tool(
        name="update_order_status",
        title="Set an order's status",
        description=(
            "Puts an order in another of the kitchen's states, and tells those who follow it. The state that it has "
            "already changes nothing. cancelled gives counted stock back; leaving it takes the stock again, and is "
            "refused when that has been sold."
        ),
        servers=ON,
        arguments=UpdateOrderStatus,
        result=OrderOut,
        handler=update_order_status,
        scope="write",
        resource="orders",
        is_idempotent=True,
    ),
)
