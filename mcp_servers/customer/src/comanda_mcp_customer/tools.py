"""MCP tools for a customer's own orders."""

from typing import Any, Final

from comanda.contracts.mcp import Tool, ToolCall
from comanda.errors import NotFound, ValidationFailed
from comanda.orders import queries
from comanda.orders.schemas import Tracking

from comanda_mcp_customer.schemas import MyOrder, MyOrders, OrderDetail, OrderList, TrackOrder
from comanda_mcp_customer.services import find_track_token, list_latest_orders

SERVERS = ("customer",)

# Fields of an order that customers do not see.
INTERNAL_FIELDS: Final = frozenset({"restaurant_id", "customer_id", "client_uuid", "source", "driver"})


async def list_orders(call: ToolCall, arguments: MyOrders) -> dict[str, Any]:
    """List the customer's latest orders."""
    return {"orders": await list_latest_orders(call.known_caller, arguments.limit)}


async def get_order(call: ToolCall, arguments: OrderDetail) -> dict[str, Any]:
    """Return one of the customer's orders. Raises ``NotFound`` for other customers' orders."""
    caller = call.known_caller
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    order = await queries.get_order(caller.owner_id, caller.store_id, arguments.order_id)
    if order["customer_id"] != caller.subject_id:
        raise NotFound
    driver = order["driver"]
    shown = {name: value for name, value in order.items() if name not in INTERNAL_FIELDS}
    return {**shown, "driver": driver and {"name": driver["name"]}}


async def track_order(call: ToolCall, arguments: TrackOrder) -> dict[str, Any]:
    """Return the progress of one of the customer's orders. Raises ``NotFound`` for other customers' orders."""
    if (arguments.order_id is None) == (arguments.track_token is None):
        raise ValidationFailed(order_id=["Send either order_id or track_token."])
    token = await find_track_token(call.known_caller, arguments.order_id, arguments.track_token)
    if token is None:
        raise NotFound
    return await queries.get_tracking(token)


TOOLS = (
    Tool(
        name="my_orders",
        title="My orders",
        description="Lists your latest orders in this store with their items, newest first.",
        servers=SERVERS,
        arguments=MyOrders,
        result=OrderList,
        handler=list_orders,
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
        is_read_only=True,
    ),
)
