"""What stands in the tool calls of the analytics plugin, for tests of every tool; its routes need nothing made."""

MCP_CALLS = {"admin/sales_report": {"from": "2030-01-01", "to": "2030-01-31"}}
