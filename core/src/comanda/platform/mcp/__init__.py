"""The Model Context Protocol: servers for AI agents, and the tools on them."""
