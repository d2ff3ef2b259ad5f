"""MCP tools of tool-hire shops."""

from typing import Final

from comanda.contracts import Tool, ToolCall

from comanda_rental.records import FreeTools
from comanda_rental.schemas import FreeToolsArguments
from comanda_rental.services import availability
from comanda_rental.services.hire_days import HirePeriod


async def list_free_tools(call: ToolCall, arguments: FreeToolsArguments) -> FreeTools:
    """List free tools, for the shop's owner and, if the shop is listed, for anyone."""
    period = HirePeriod(arguments.first_day, arguments.last_day)
    if call.caller is None:
        return await availability.list_public_free_tools(arguments.restaurant_id, period, listed_only=True)
    return await availability.list_free_tools(call.caller, arguments.restaurant_id, period)


TOOLS: Final = (
    Tool(
        name="list_free_hire_tools",
        title="Tools free for hire",
        description=(
            "Lists the tools of a tool-hire shop with how many pieces are free on every day of a hire, and the price "
            "of one piece for all of them. A store of another type is refused with the code conflict."
        ),
        servers=("catalog", "admin"),
        arguments=FreeToolsArguments,
        result=FreeTools,
        handler=list_free_tools,
        is_read_only=True,
        is_idempotent=True,
    ),
)
