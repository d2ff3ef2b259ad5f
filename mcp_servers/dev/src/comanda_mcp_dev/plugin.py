"""The MCP server for whoever builds on Comanda."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.mcp import McpServer, Tool

from comanda_mcp_dev.tools import TOOLS

INSTRUCTIONS = (
    "Documentation and checks for whoever builds on this installation of Comanda. Call learn_platform first: "
    "installations differ in their plugins. Then search_docs for passages and fetch_full_doc for whole chapters. For "
    "themes, read get_liquid_reference and get_section_schema before you write, and call validate_theme until it has "
    "no errors. Nothing here needs a token or changes anything; orders and menus are on the other servers."
)


@hookimpl
def register_mcp_servers() -> Sequence[McpServer]:
    """Open /mcp/dev to everybody, and to the pages that the operator names: it tells what the documentation tells."""
    return [
        McpServer(
            name="dev",
            path="/mcp/dev",
            title="Comanda for developers",
            instructions=INSTRUCTIONS,
            is_cors=True,
        )
    ]


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
