"""The start page, and the guide: the chapters of core and of every plugin."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from quart import Blueprint, Response, abort, render_template, request

import comanda
from comanda.contracts.requests.routes import API_PREFIX
from comanda.contracts.web.documentation import Chapter
from comanda.contracts.web.pages import Link, Pages
from comanda.platform import runtime
from comanda.web import start_metadata, store_directory
from comanda.web.documentation import served_pages
from comanda.web.documentation.markdown_text import Links, render_text
from comanda.web.documentation.served_pages import Context, Documentation
from comanda.web.languages.translations import N_
from comanda.web.site_address import get_site_url

blueprint = Blueprint(
    "comanda", __name__, template_folder="../templates", static_folder="../static", static_url_path="/own"
)

# Headings below this level are not in the list of contents.
MAX_LISTED_LEVEL: Final = 3

pages = Pages(
    blueprint,
    links=(
        Link(
            N_("API reference"),
            "/docs/",
            N_("Every operation with its fields, and examples in curl, Python and JavaScript."),
        ),
        Link(N_("Guide"), "/docs/guide/", N_("How orders, menus, stores and the installed plugins work.")),
        Link(N_("API index"), "/api/v1", N_("For programs: endpoints, OpenAPI and URLs.")),
    ),
)


@blueprint.get("/")
async def start() -> str:
    """Show the stores of this installation to the public."""
    found = await store_directory.list_stores(
        request.args.get("q", ""), store_directory.parse_page(request.args.get("page", ""))
    )
    links = [link for declared in runtime.registry().pages if declared is not pages for link in declared.links]
    return await render_template(
        "comanda/start.html", found=found, links=links, metadata=start_metadata.to_metadata(found)
    )


@blueprint.get("/developers/")
async def developers() -> str:
    """Show what is installed, and the addresses of the API and of MCP servers."""
    registry = runtime.registry()
    return await render_template(
        "comanda/developers.html",
        release=comanda.__version__,
        links=pages.links,
        servers=registry.mcp_servers.values(),
        verticals=registry.verticals.values(),
        plugins=registry.plugins,
        site_url=get_site_url(),
    )


@blueprint.get("/docs/guide/")
async def guide() -> Response:
    """List the chapters of core and the plugins."""
    return await served_pages.serve_page("guide", "comanda/guide.html", _create_list)


@blueprint.get("/docs/guide/<name>")
async def chapter(name: str) -> Response:
    found = runtime.registry().docs.get(name)
    if found is None:
        abort(404)
    return await served_pages.serve_page(f"guide/{name}", "comanda/chapter.html", _to_page(found))


async def _create_list(_: Documentation, __: str) -> Context:
    return {}


def _to_page(chapter: Chapter) -> Callable[[Documentation, str], Awaitable[Context]]:
    async def create(docs: Documentation, site_url: str) -> Context:
        addresses = docs.catalog.addresses

        def find_address(method: str, path: str) -> str | None:
            address = addresses.get((method, path))
            return f"/docs/{address}" if address else None

        links = Links(find_address, site_url + API_PREFIX, served_pages.list_token_prefixes(docs))
        # Some chapters are long, and one is a list of all that plugins may import.
        rendered = await asyncio.to_thread(lambda: render_text(chapter.render_text(site_url), links))
        before, after = _find_neighbours(docs, chapter)
        headings = [each for each in rendered.headings if each.level <= MAX_LISTED_LEVEL]
        return {"chapter": chapter, "body": rendered.html, "headings": headings, "previous": before, "next": after}

    return create


def _find_neighbours(docs: Documentation, chapter: Chapter) -> tuple[Chapter | None, Chapter | None]:
    chapters = list(docs.registry.docs.values())
    place = chapters.index(chapter)
    return (chapters[place - 1] if place else None, chapters[place + 1] if place + 1 < len(chapters) else None)
