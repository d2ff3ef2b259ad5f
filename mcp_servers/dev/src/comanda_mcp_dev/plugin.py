"""The MCP server for whoever builds on Comanda."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.documentation import Chapter
from comanda.mcp.types import McpServer, Tool

from comanda_mcp_dev.server import SERVER
from comanda_mcp_dev.tools import TOOLS


@hookimpl
def register_mcp_servers() -> Sequence[McpServer]:
    """Open /mcp/dev to everybody, and to the pages that the operator names: it tells what the documentation tells."""
    return [SERVER]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Explain the platform, and check themes."""
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain what a theme consists of."""
    return [
        Chapter(
            name="themes",
            title="Themes",
            summary="The files of a storefront theme, the Liquid that may stand in them, and what is checked.",
            package="comanda_mcp_dev",
            path="docs/themes.md",
        )
    ]
