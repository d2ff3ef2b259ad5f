"""Tools for orders."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import ValidationFailed, clock
from comanda.contracts import PageRequest, Tool, ToolCall
from comanda.orders import (
    OrderFilter,
    OrderOut,
    get_amount_range,
    get_store_scope,
    queries,
    search_orders,
    set_status,
    to_order_json,
    to_order_page_json,
)
from comanda.platform.mcp import select_store
from comanda.stores import services as stores

from comanda_mcp_admin.schemas.orders import GetOrder, ListOrders, OrderPage, UpdateOrderStatus

SERVERS = ("admin",)
DAY: Final = timedelta(days=1)
MAX_RANGE: Final = 366 * DAY


async def list_orders(call: ToolCall, arguments: ListOrders) -> dict[str, Any]:
    """List orders, newest first."""
    caller, store_id = call.known_caller, await select_store(call, arguments)
    scope, page = await get_store_scope(caller, store_id), PageRequest(arguments.page, None)
    filters = OrderFilter(
        arguments.status,
        arguments.type,
        text=arguments.search or None,
        customer=arguments.customer or None,
        total=await get_amount_range(caller, store_id, arguments.min_total, arguments.max_total),
    )
    is_searched = filters.text is not None or filters.customer is not None
    if not is_searched and arguments.from_ is None and arguments.to is None:
        found = await search_orders(scope, filters, page)
        return {**to_order_page_json(found), "from": None, "to": None}
    zone = ZoneInfo((await stores.get_settings(caller, store_id)).timezone)
    first, last = _get_days(arguments.from_, arguments.to, clock.now().astimezone(zone).date())
    since, before = _to_midnight(first, zone), _to_midnight(last + DAY, zone)
    found = await search_orders(scope, replace(filters, since=since, before=before), page)
    return {**to_order_page_json(found), "from": first, "to": last}


async def get_order(call: ToolCall, arguments: GetOrder) -> dict[str, Any]:
    """Return an order with its lines."""
    store_id = await select_store(call, arguments)
    return to_order_json(await queries.get_order(call.known_caller.owner_id, store_id, arguments.order_id))


async def update_order_status(call: ToolCall, arguments: UpdateOrderStatus) -> dict[str, Any]:
    """Update an order's status."""
    store_id = await select_store(call, arguments)
    updated = await set_status(call.known_caller, store_id, arguments.order_id, arguments.status, arguments.note)
    return to_order_json(updated)


def _get_days(first: date | None, last: date | None, today: date) -> tuple[date, date]:
    """Return a complete range of days, both inclusive. Raises ``ValidationFailed`` if it is too long or reversed."""
    if last is None:
        last = today if first is None else max(first, min(today, first + MAX_RANGE - DAY))
    if first is None:
        first = last - MAX_RANGE + DAY
    if first > last:
        raise ValidationFailed({"from": ["Must not be after to."]})
    if last - first >= MAX_RANGE:
        raise ValidationFailed(to=[f"At most {MAX_RANGE.days} days can be listed at once."])
    return first, last


def _to_midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


TOOLS = (
    Tool(
        name="list_orders",
        title="List orders",
        description=(
            "Lists a store's orders without their lines, newest first, 30 per page. Filter by status, type, "
            "customer, total, days in the store's time zone and by a search; all filters must match."
        ),
        servers=SERVERS,
        arguments=ListOrders,
        result=OrderPage,
        handler=list_orders,
        scope="orders:read",
        is_read_only=True,
    ),
    Tool(
        name="get_order",
        title="Show an order",
        description="Returns a whole order: lines with variations and extras, totals, customer, driver, timeline.",
        servers=SERVERS,
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
            "Sets an order's status and notifies those who follow it. Setting the current status changes nothing. "
            "cancelled returns tracked stock; leaving cancelled takes the stock again and is refused if it has been "
            "sold."
        ),
        servers=SERVERS,
        arguments=UpdateOrderStatus,
        result=OrderOut,
        handler=update_order_status,
        scope="write",
        resource="orders",
        is_idempotent=True,
    ),
)
