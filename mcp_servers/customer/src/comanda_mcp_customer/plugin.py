"""The MCP server for a customer's agent."""
