"""What a customer's agent can do: see the customer's own orders."""

from typing import Any, Final

from comanda.errors import NotFound, ValidationFailed
from comanda.mcp import Tool, ToolCall
from comanda.orders import reading
from comanda.orders.schemas import Tracking

from comanda_mcp_customer.schemas import MyOrder, MyOrders, OrderDetail, OrderList, TrackOrder
from comanda_mcp_customer.services import find_track_token, list_latest_orders

SERVERS = ("customer",)

# What a store keeps about an order for itself.
INTERNAL_FIELDS: Final = frozenset({"restaurant_id", "customer_id", "client_uuid", "source", "driver"})


async def list_orders(call: ToolCall, arguments: MyOrders) -> dict[str, Any]:
    """List the customer's latest orders."""
    return {"orders": await list_latest_orders(call.known_caller, arguments.limit)}


async def get_order(call: ToolCall, arguments: OrderDetail) -> dict[str, Any]:
    """Show one of the customer's orders. Raises ``NotFound`` for anybody else's."""
    caller = call.known_caller
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    order = await reading.order(caller.owner_id, caller.store_id, arguments.order_id)
    if order["customer_id"] != caller.subject_id:
        raise NotFound
    driver = order["driver"]
    shown = {name: value for name, value in order.items() if name not in INTERNAL_FIELDS}
    return {**shown, "driver": driver and {"name": driver["name"]}}


async def track_order(call: ToolCall, arguments: TrackOrder) -> dict[str, Any]:
    """Tell how one of the customer's orders is coming along. Raises ``NotFound`` for anybody else's."""
    if (arguments.order_id is None) == (arguments.track_token is None):
        raise ValidationFailed(order_id=["Give either order_id or track_token."])
    token = await find_track_token(call.known_caller, arguments.order_id, arguments.track_token)
    if token is None:
        raise NotFound
    return await reading.tracking(token)


TOOLS = (
    Tool(
        name="my_orders",
        title="My orders",
        description="Lists your latest orders in this store with what you ordered, the newest first.",
        servers=SERVERS,
        arguments=MyOrders,
        result=OrderList,
        handler=list_orders,
        is_read_only=True,
    ),
    Tool(
        name="order_detail",
        title="One of my orders",
        description="Shows one of your orders: lines with variations and extras, what was added, totals, timeline.",
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
            "Tells how one of your orders is coming along, by its id or its track token. It can be followed until 30 "
            "days after it ended; order_detail shows it after that too."
        ),
        servers=SERVERS,
        arguments=TrackOrder,
        result=Tracking,
        handler=track_order,
        is_read_only=True,
    ),
)
