"""The MCP server for whoever builds on Comanda."""
