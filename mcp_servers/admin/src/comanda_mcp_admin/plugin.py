"""The MCP server for owners' agents."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import McpServer, Tool

from comanda_mcp_admin.server import SERVER
from comanda_mcp_admin.tools import categories, items, menus, orders, restaurants


@hookimpl
def register_mcp_servers() -> Sequence[McpServer]:
    return [SERVER]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return [*restaurants.TOOLS, *menus.TOOLS, *categories.TOOLS, *items.TOOLS, *orders.TOOLS]
