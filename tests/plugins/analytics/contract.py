"""Tool calls of the analytics plugin, for tests of every tool."""

MCP_CALLS = {"admin/sales_report": {"from": "2030-01-01", "to": "2030-01-31"}}
