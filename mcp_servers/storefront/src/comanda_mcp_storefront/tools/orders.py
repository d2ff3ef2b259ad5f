"""Tool that tracks an order."""

from typing import Any

from comanda.basics import NotFound
from comanda.contracts import Tool, ToolCall
from comanda.orders import Tracking, queries, to_tracking_json

from comanda_mcp_storefront.schemas import TrackOrder
from comanda_mcp_storefront.services.stores import get_store_id, is_order_of_store


async def track_order(call: ToolCall, arguments: TrackOrder) -> dict[str, Any]:
    """Return the progress of an order of the store."""
    if not await is_order_of_store(call.known_caller, get_store_id(call), arguments.track_token):
        raise NotFound
    return to_tracking_json(await queries.get_tracking(arguments.track_token))


TOOLS = (
    Tool(
        name="track_order",
        title="Track an order",
        description=(
            "Returns the progress of an order of this store: its status, when it reached each stage, whether it is "
            "paid. It is available until 30 days after the order ended."
        ),
        servers=("storefront",),
        arguments=TrackOrder,
        result=Tracking,
        handler=track_order,
        is_read_only=True,
    ),
)
