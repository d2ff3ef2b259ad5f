"""The pages of core: start page, guide, and the API reference at /docs."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quart import Blueprint, Response, abort, render_template, send_from_directory

import comanda
from comanda import runtime
from comanda.contracts.pages import Link, Pages
from comanda.web.translations import N_

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererProtocol
    from markdown_it.token import Token

blueprint = Blueprint("comanda", __name__, template_folder="templates", static_folder="static", static_url_path="/own")

# Only the files are used; importing the package would load unneeded Flask views.
SWAGGER_UI = Path(str(files("flask_swagger_ui"))) / "dist"
SERVED_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

# Swagger UI uses inline styles and data URLs for icons.
REFERENCE_SECURITY_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
)


def _render_table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0"><table>'


def _render_table_close(*_: Any) -> str:
    return "</table></div>"


def _render_code(_: "RendererProtocol", tokens: "Sequence[Token]", position: int, *__: Any) -> str:
    from markdown_it.common.utils import escapeHtml  # noqa: PLC0415 - as below

    return f'<pre tabindex="0"><code>{escapeHtml(tokens[position].content)}</code></pre>'


@cache
def _create_renderer() -> "MarkdownIt":
    # Imported when the guide is first read: a server that only takes orders is spared 2 MiB of memory.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    # Chapters come from wheels, not from tenants; raw HTML in them is still escaped.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Wide content scrolls on phones, and is focusable for keyboard users.
    for name, rule in {
        "table_open": _render_table_open,
        "table_close": _render_table_close,
        "fence": _render_code,
        "code_block": _render_code,
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


pages = Pages(
    blueprint,
    links=(
        Link(N_("API reference"), "/docs/", N_("Every operation with its fields; try requests from the browser.")),
        Link(N_("Guide"), "/docs/guide/", N_("How orders, menus, stores and the installed plugins work.")),
        Link(N_("API index"), "/api/v1", N_("For programs: endpoints, OpenAPI and URLs.")),
    ),
)


@blueprint.get("/")
async def start() -> str:
    """Show what is installed and where to find it."""
    registry = runtime.registry()
    return await render_template(
        "comanda/start.html",
        release=comanda.__version__,
        links=[link for declared in registry.pages for link in declared.links],
        servers=registry.mcp_servers.values(),
        verticals=registry.verticals.values(),
        plugins=registry.plugins,
        site_url=runtime.settings().site_url,
    )


@blueprint.get("/docs/")
async def reference() -> Response:
    """Show the API reference."""
    response = Response(await render_template("comanda/reference.html"))
    response.headers["Content-Security-Policy"] = REFERENCE_SECURITY_POLICY
    return response


@blueprint.get("/docs/ui/<name>")
async def ui_file(name: str) -> Response:
    """Serve a file of Swagger UI."""
    response = await send_from_directory(SWAGGER_UI, name if name in SERVED_FILES else "missing")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


@blueprint.get("/docs/guide/")
async def guide() -> str:
    """List the chapters of core and the plugins."""
    return await render_template("comanda/guide.html", chapters=runtime.registry().docs.values())


@blueprint.get("/docs/guide/<name>")
async def chapter(name: str) -> str:
    """Show one chapter."""
    found = runtime.registry().docs.get(name)
    if found is None:
        abort(404)
    return await render_template("comanda/chapter.html", chapter=found, body=_create_renderer().render(found.text))
