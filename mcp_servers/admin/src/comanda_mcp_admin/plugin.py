"""The MCP server for owners."""
