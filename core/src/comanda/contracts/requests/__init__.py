"""What is asked over HTTP and MCP: callers and what they may, routes and tools, bodies, pages of lists, and answers."""
