"""The public MCP server over listed stores."""
