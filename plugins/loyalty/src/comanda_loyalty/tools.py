"""The MCP tool with which customers' agents read points and rewards."""

from comanda.contracts import Tool, ToolCall

from comanda_loyalty.records import OwnPoints
from comanda_loyalty.schemas import MyPoints
from comanda_loyalty.services import accounts


async def my_points(call: ToolCall, arguments: MyPoints) -> OwnPoints:
    """Return the points of the customer, and the rewards of their store."""
    return await accounts.get_own_points(call.known_caller)


TOOLS = (
    Tool(
        name="my_points",
        title="My points",
        description=(
            "Shows your loyalty points in this store, the rewards that they can be exchanged for, each with its price "
            "in points, and the latest changes. programme is null if the store has none. Nothing is redeemed."
        ),
        servers=("customer",),
        arguments=MyPoints,
        result=OwnPoints,
        handler=my_points,
        scope="profile",
        is_read_only=True,
    ),
)
