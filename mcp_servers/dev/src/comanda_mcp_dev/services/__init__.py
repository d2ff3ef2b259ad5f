"""Services of the developers' MCP server: documentation, Liquid reference and theme checks."""
