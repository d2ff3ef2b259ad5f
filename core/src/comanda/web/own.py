"""Core's own pages: what is installed here, the guide, and the API reference at /docs."""

from importlib.resources import files
from pathlib import Path

from markdown_it import MarkdownIt
from quart import Blueprint, Response, abort, render_template, send_from_directory

import comanda
from comanda import runtime
from comanda.web.pages import Link, Pages

blueprint = Blueprint("comanda", __name__, template_folder="templates", static_folder="static", static_url_path="/own")

# Only the files are used; importing the package would bring Flask views that we have no use for.
SWAGGER_UI = Path(str(files("flask_swagger_ui"))) / "dist"
SERVED = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

# Swagger UI sets styles on elements and draws its icons from data addresses.
REFERENCE_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

# Chapters come from wheels, not from tenants; still nothing in them may become markup of its own.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")

pages = Pages(
    blueprint,
    links=(
        Link("API reference", "/docs/", "Every operation with its fields, to read and to try."),
        Link("Guide", "/docs/guide/", "How orders, menus, stores and the installed plugins work."),
        Link("API index", "/api/v1", "The same for programs: endpoints, OpenAPI, addresses."),
    ),
)


@blueprint.get("/")
async def start() -> str:
    """Show what is installed here and where it is."""
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
    response.headers["Content-Security-Policy"] = REFERENCE_POLICY
    return response


@blueprint.get("/docs/ui/<name>")
async def ui_file(name: str) -> Response:
    """Serve one of Swagger UI's files."""
    response = await send_from_directory(SWAGGER_UI, name if name in SERVED else "missing")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


@blueprint.get("/docs/guide/")
async def guide() -> str:
    """List the chapters that core and the plugins bring."""
    return await render_template("comanda/guide.html", chapters=runtime.registry().docs.values())


@blueprint.get("/docs/guide/<name>")
async def chapter(name: str) -> str:
    """Show one chapter."""
    found = runtime.registry().docs.get(name)
    if found is None:
        abort(404)
    return await render_template("comanda/chapter.html", chapter=found, body=MARKDOWN.render(found.text))
