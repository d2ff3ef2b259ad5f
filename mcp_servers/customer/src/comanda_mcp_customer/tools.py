"""MCP tools for a customer's own orders."""

from typing import Any, Final

from comanda.basics import NotFound, ValidationFailed, require_found, to_number
from comanda.contracts import Tool, ToolCall
from comanda.orders import Order, Tracking, queries, to_order_json, to_tracking_json

from comanda_mcp_customer.schemas import MyOrder, MyOrders, OrderDetail, OrderList, TrackOrder
from comanda_mcp_customer.services import find_track_token, list_latest_orders

SERVERS = ("customer",)
ORDERS: Final = "orders"

LISTED_FIELDS: Final = (
    "id", "number", "type", "status", "delivery_status", "is_paid", "currency", "business_date", "scheduled_for",
    "created_at",
)  # fmt: skip

# Fields of an order that customers do not see.
INTERNAL_FIELDS: Final = frozenset({"restaurant_id", "customer_id", "client_uuid", "source", "driver"})


async def list_orders(call: ToolCall, arguments: MyOrders) -> dict[str, Any]:
    """List the customer's latest orders."""
    orders = await list_latest_orders(call.known_caller, arguments.limit)
    return {"orders": [_to_listed_json(order) for order in orders]}


async def get_order(call: ToolCall, arguments: OrderDetail) -> dict[str, Any]:
    """Return one of the customer's orders. Raises ``NotFound`` for other customers' orders."""
    caller = call.known_caller
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    order = await queries.get_order(caller.owner_id, caller.store_id, arguments.order_id)
    if order.customer_id != caller.subject_id:
        raise NotFound
    found = to_order_json(order)
    driver = found["driver"]
    shown = {name: value for name, value in found.items() if name not in INTERNAL_FIELDS}
    return {**shown, "driver": driver and {"name": driver["name"]}}


async def track_order(call: ToolCall, arguments: TrackOrder) -> dict[str, Any]:
    """Return the progress of one of the customer's orders. Raises ``NotFound`` for other customers' orders."""
    if (arguments.order_id is None) == (arguments.track_token is None):
        raise ValidationFailed(order_id=["Send either order_id or track_token."])
    token = require_found(await find_track_token(call.known_caller, arguments.order_id, arguments.track_token))
    return to_tracking_json(await queries.get_tracking(token))


def _to_listed_json(order: Order) -> dict[str, Any]:
    return {
        **{name: getattr(order, name) for name in LISTED_FIELDS},
        "total": to_number(order.total_minor, order.currency),
        "amount_due": to_number(order.amount_due_minor, order.currency),
        "items": [{"name": line.name, "quantity": line.quantity} for line in order.lines],
    }


TOOLS = (
    Tool(
        name="my_orders",
        title="My orders",
        description="Lists your latest orders in this store with their items, newest first.",
        servers=SERVERS,
        arguments=MyOrders,
        result=OrderList,
        handler=list_orders,
        scope=ORDERS,
        is_read_only=True,
    ),
    Tool(
        name="order_detail",
        title="One of my orders",
        description="Returns one of your orders: lines with variations and extras, fees, totals, timeline.",
        servers=SERVERS,
        arguments=OrderDetail,
        result=MyOrder,
        handler=get_order,
        scope=ORDERS,
        is_read_only=True,
    ),
    Tool(
        name="track_order",
        title="Track my order",
        description=(
            "Returns the progress of one of your orders, by its id or its track token. It is available until 30 "
            "days after the order ended; order_detail also works after that."
        ),
        servers=SERVERS,
        arguments=TrackOrder,
        result=Tracking,
        handler=track_order,
        scope=ORDERS,
        is_read_only=True,
    ),
)
