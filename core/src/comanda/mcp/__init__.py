"""Servers for AI agents: what plugins declare, spoken as JSON-RPC over HTTP.

A plugin's ``tools.py`` needs these names and nothing else of this package.
"""

from comanda.contracts.mcp import Arguments, FailedResult, JsonResult, McpServer, Tool, ToolCall, ToolRefused

__all__ = ["Arguments", "FailedResult", "McpServer", "JsonResult", "Tool", "ToolCall", "ToolRefused"]
