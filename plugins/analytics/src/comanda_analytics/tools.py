"""The MCP tool for sales reports."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall
from comanda.mcp.store_selection import select_store

from comanda_analytics.schemas.tools import SalesReport, SalesReportOut
from comanda_analytics.services import reports


async def create_sales_report(call: ToolCall, arguments: SalesReport) -> dict[str, Any]:
    """Create a sales report."""
    store_id = await select_store(call, arguments)
    currency = await reports.get_currency(call.known_caller, store_id)
    report = await reports.create_report(call.known_caller, store_id, arguments.from_, arguments.to)
    return {"restaurant_id": store_id, "currency": currency, **report}


TOOLS = (
    Tool(
        name="sales_report",
        title="Report sales",
        description=(
            "Reports a store's sales over a range of days, by the day on which orders were placed: number of orders "
            "by status and type, revenue, average order value, and the ten best-selling items. Cancelled orders "
            "only count in orders.total and by_status. By default: today and the 29 days before."
        ),
        servers=("admin",),
        arguments=SalesReport,
        result=SalesReportOut,
        handler=create_sales_report,
        scope="analytics:read",
        is_read_only=True,
    ),
)
