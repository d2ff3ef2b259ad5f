"""Following an order."""

from typing import Any

from comanda.errors import NotFound
from comanda.mcp import Tool, ToolCall
from comanda.orders import reading
from comanda.orders.schemas import Tracking

from comanda_mcp_storefront.schemas import TrackOrder
from comanda_mcp_storefront.services.orders import is_order_of_store
from comanda_mcp_storefront.services.stores import get_store_id


async def track_order(call: ToolCall, arguments: TrackOrder) -> dict[str, Any]:
    """Tell how an order of the store is coming along."""
    if not await is_order_of_store(call.known_caller, get_store_id(call), arguments.track_token):
        raise NotFound
    return await reading.tracking(arguments.track_token)


TOOLS = (
    Tool(
        name="track_order",
        title="Track an order",
        description=(
            "Tells how an order of this store is coming along: its state, when it reached each stage, whether it is "
            "paid. It can be followed until 30 days after it ended."
        ),
        servers=("storefront",),
        arguments=TrackOrder,
        result=Tracking,
        handler=track_order,
        is_read_only=True,
    ),
)
