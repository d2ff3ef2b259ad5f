"""The MCP server for developers."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import McpServer, Tool

from comanda_mcp_dev.server import SERVER
from comanda_mcp_dev.tools import TOOLS


@hookimpl
def register_mcp_servers() -> Sequence[McpServer]:
    return [SERVER]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS
