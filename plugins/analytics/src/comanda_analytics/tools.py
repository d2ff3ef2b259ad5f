"""The MCP tool for sales reports."""

from comanda.contracts import Tool, ToolCall
from comanda.platform.mcp import select_store

from comanda_analytics.records import SalesReport
from comanda_analytics.schemas import SalesReportArguments, SalesReportOut
from comanda_analytics.services import reports


async def create_sales_report(call: ToolCall, arguments: SalesReportArguments) -> SalesReport:
    store_id = await select_store(call, arguments)
    return await reports.create_report(call.known_caller, store_id, arguments.from_, arguments.to)


TOOLS = (
    Tool(
        name="sales_report",
        title="Report sales",
        description=(
            "Reports a store's sales over a range of days, by the day on which orders were placed: number of orders "
            "by status and type, revenue, average order value, charges (part of revenue.gross), and the ten "
            "best-selling items. Cancelled orders only count in orders.total and by_status. By default: today and the "
            "29 days before."
        ),
        servers=("admin",),
        arguments=SalesReportArguments,
        result=SalesReportOut,
        handler=create_sales_report,
        scope="analytics:read",
        is_read_only=True,
    ),
)
