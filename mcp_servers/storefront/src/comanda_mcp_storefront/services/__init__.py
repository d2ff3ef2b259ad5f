"""Services of the storefront MCP server."""
