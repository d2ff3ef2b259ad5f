"""The MCP server for a guest's agent in one store."""
