"""MCP tools, one module per resource."""
