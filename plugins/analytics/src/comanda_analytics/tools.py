"""What owners' agents can ask about sales."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall
from comanda.mcp.store_selection import select_store

from comanda_analytics import services
from comanda_analytics.schemas import SalesReport, SalesReportOut


async def sales_report(call: ToolCall, arguments: SalesReport) -> dict[str, Any]:
    """Report what a store sold."""
    store_id = await select_store(call, arguments)
    currency = await services.currency_of(call.known_caller, store_id)
    found = await services.report(call.known_caller, store_id, arguments.from_, arguments.to)
    return {"restaurant_id": store_id, "currency": currency, **found}


TOOLS = (
    Tool(
        name="sales_report",
        title="Report sales",
        description=(
            "Reports what a store sold from one day to another, by the day on which orders were placed: how many "
            "orders by status and type, revenue, average order value, and the ten items ordered most. Cancelled orders "
            "count in orders.total and by_status only. Without days: today and the 29 days before."
        ),
        servers=("admin",),
        arguments=SalesReport,
        result=SalesReportOut,
        handler=sales_report,
        scope="analytics:read",
        is_read_only=True,
    ),
)
