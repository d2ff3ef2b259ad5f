"""The server's address and instructions."""

from typing import Final

from comanda.contracts import McpServer

INSTRUCTIONS: Final = (
    "Documentation and checks for developers who build on this installation of Comanda. Call learn_platform first: "
    "installations differ in their plugins. Then use search_docs for passages and fetch_full_doc for chapters. For "
    "themes, read get_liquid_reference and get_section_schema before you write, and call validate_theme until it has "
    "no errors. Nothing here needs a token or changes anything; orders and menus are on the other servers."
)

SERVER: Final = McpServer(
    name="dev", path="/mcp/dev", title="Comanda for developers", instructions=INSTRUCTIONS, is_cors=True
)
