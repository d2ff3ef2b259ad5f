"""The MCP server for a guest's agent in one store."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import McpServer, Tool

from comanda_mcp_storefront.server import SERVER
from comanda_mcp_storefront.tools import items, menu, orders, store


@hookimpl
def register_mcp_servers() -> Sequence[McpServer]:
    return [SERVER]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return [*store.TOOLS, *menu.TOOLS, *items.TOOLS, *orders.TOOLS]
