"""What agents look for before they call anything: ``llms.txt``, the guide as Markdown, and the MCP servers as cards.

The catalog follows the drafts of AI Catalog and of MCP's server cards, which still disagree on the name of the member
that says what an entry is; both names are there.
"""

from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from quart import Blueprint, Response, abort

import comanda
from comanda.contracts.requests.mcp import McpServer
from comanda.contracts.requests.routes import API_PREFIX
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.platform.mcp.negotiation import VERSIONS
from comanda.web.metadata import shorten
from comanda.web.site_address import get_site_url

blueprint = Blueprint("agent_discovery", __name__)
pages = Pages(blueprint)

CATALOG_TYPE: Final = "application/ai-catalog+json"
CARD_TYPE: Final = "application/mcp-server-card+json"
CARD_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
MAX_CARD_TEXT: Final = 100
# Pages of any origin may read these, which hold nothing that depends on who asks.
HEADERS: Final = {"Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*"}
SUMMARY: Final = (
    "An ordering platform for restaurants, shops, pharmacies, laundries and hotels: one REST API, MCP servers for "
    "agents, signed webhooks, and pages for guests and staff."
)


@blueprint.get("/llms.txt")
async def show_overview() -> Response:
    """Return what is here for a language model: the guide, the API, the MCP servers and the stores."""
    site, registry = get_site_url(), runtime.registry()
    lines = ["# Comanda", "", f"> {SUMMARY}", "", "## Guide", ""]
    lines += [f"- [{each.title}]({site}/docs/guide/{each.name}.md): {each.summary}" for each in registry.docs.values()]
    lines += ["", "## API", ""]
    lines += [f"- [OpenAPI description]({site}{API_PREFIX}/openapi.json): every operation with its fields and errors"]
    lines += [f"- [Index]({site}{API_PREFIX}): the addresses of this installation"]
    lines += ["", "## MCP servers", ""]
    lines += [f"- [{each.title}]({site}{each.path}): {_describe(each)}" for each in registry.mcp_servers.values()]
    lines += [f"- [Catalog]({site}/.well-known/ai-catalog.json): the same for programs"]
    lines += ["", "## Stores", ""]
    lines += [f"- [Stores]({site}/): all that are open to guests; the address of a store's page with `.md` is its menu"]
    lines += [f"- [Sitemap]({site}/sitemap.xml): the addresses of their pages", ""]
    return Response("\n".join(lines), mimetype="text/plain", headers=HEADERS)


@blueprint.get("/docs/guide/<name>.md")
async def show_chapter(name: str) -> Response:
    """Return a chapter of the guide as it is written, in Markdown."""
    found = runtime.registry().docs.get(name)
    if found is None:
        abort(404)
    text = f"# {found.title}\n\n{found.summary}\n\n{found.render_text(get_site_url())}"
    return Response(text, mimetype="text/markdown", headers=HEADERS)


@blueprint.get("/.well-known/ai-catalog.json")
async def show_catalog() -> Response:
    """Return the MCP servers of this installation, each with its card."""
    site = get_site_url()
    host = urlsplit(site).hostname or "localhost"
    document = {
        "specVersion": "1.0",
        "host": {"displayName": "Comanda", "documentationUrl": f"{site}/docs/guide/agents"},
        "entries": [
            {
                "identifier": f"urn:air:{host}:mcp:{server.name}",
                "displayName": server.title,
                "description": _describe(server),
                "type": CARD_TYPE,
                "mediaType": CARD_TYPE,
                "data": _to_card(server, site),
            }
            for server in runtime.registry().mcp_servers.values()
        ],
    }
    return Response(orjson.dumps(document), content_type=CATALOG_TYPE, headers=HEADERS)


@blueprint.get("/mcp/server-card")
@blueprint.get("/mcp/<name>/server-card")
async def show_card(name: str = "") -> Response:
    """Return the card of an MCP server: its name, its address, and what a call of it needs."""
    servers = runtime.registry().mcp_servers.values()
    server = next((each for each in servers if each.path == f"/mcp/{name}".rstrip("/")), None)
    if server is None:
        abort(404)
    return Response(orjson.dumps(_to_card(server, get_site_url())), content_type=CARD_TYPE, headers=HEADERS)


def _to_card(server: McpServer, site: str) -> dict[str, Any]:
    namespace = ".".join(reversed((urlsplit(site).hostname or "localhost").split(".")))
    remote = {"type": "streamable-http", "url": site + server.path, "supportedProtocolVersions": list(VERSIONS)}
    return {
        "$schema": CARD_SCHEMA,
        "name": f"{namespace}/{server.name}",
        "title": server.title,
        "description": _describe(server),
        "version": comanda.__version__,
        "websiteUrl": f"{site}/docs/guide/agents",
        "remotes": [{**remote, "headers": _list_headers(server)} if server.callers else remote],
    }


def _list_headers(server: McpServer) -> list[dict[str, Any]]:
    """Return the header that carries the token of a caller, once for each kind of them."""
    kinds = [runtime.registry().caller_kinds[code] for code in server.callers]
    return [
        {
            "name": kind.header.title(),
            "description": f"{'Bearer and a' if kind.header == 'authorization' else 'A'} token of the kind {kind.code}",
            "isRequired": True,
            "isSecret": True,
        }
        for kind in kinds
    ]


def _describe(server: McpServer) -> str:
    """Return the first sentence of what the server tells agents, as far as a card has room."""
    return shorten(server.instructions.partition("\n")[0].partition(". ")[0].rstrip("."), MAX_CARD_TEXT)
