"""The API reference at /docs: an overview, a page for each tag's operations, one for the events, and the search."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Final

from quart import Blueprint, Response, abort, render_template, request

from comanda.basics.encoding import to_json
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.web.api_reference.catalog import EVENTS, Section
from comanda.web.api_reference.refusals import KINDS
from comanda.web.documentation import served_pages
from comanda.web.documentation.markdown_text import Links, render_text
from comanda.web.documentation.page_cache import to_response
from comanda.web.documentation.reference_view import SectionView
from comanda.web.documentation.search import MAX_QUERY_LENGTH, list_entries, search, to_index
from comanda.web.documentation.served_pages import Context, Documentation
from comanda.web.trusted_html import trust_html

blueprint = Blueprint("reference", __name__)

pages = Pages(blueprint)

OVERVIEW: Final = "overview.md"
SEARCH_INDEX: Final = "search.json"


@blueprint.get("/docs/")
async def show_overview() -> Response:
    """Show what applies to every operation, and the pages of the reference."""
    return await served_pages.serve_page("reference", "comanda/reference.html", _create_overview)


@blueprint.get("/docs/<name>/")
async def show_section(name: str) -> Response:
    """Show the operations of a tag, or the events."""
    docs = served_pages.get_documentation()
    section = docs.catalog.get_section(name)
    if section is None:
        abort(404)
    return await served_pages.serve_page(f"reference/{name}", "comanda/reference_section.html", _to_page(section))


@blueprint.get("/docs/search")
async def show_results() -> str:
    """Show what a search finds in the reference and in the guide."""
    docs = served_pages.get_documentation()
    query = request.args.get("q", "")[:MAX_QUERY_LENGTH].strip()
    chapters = list(docs.registry.docs.values())
    results = await asyncio.to_thread(search, query, docs.catalog, chapters)
    frame = served_pages.get_frame(docs)
    return await render_template("comanda/documentation_search.html", **frame, query=query, results=results)


@blueprint.get("/docs/search.json")
async def get_search_index() -> Response:
    """Return the names of everything that the search of the pages finds."""
    docs = served_pages.get_documentation()
    page = docs.cache.get(SEARCH_INDEX)
    if page is None:
        entries = await asyncio.to_thread(lambda: list(list_entries(docs.catalog, docs.registry.docs.values())))
        page = docs.cache.add(SEARCH_INDEX, to_json(to_index(entries)).decode(), "application/json")
    return to_response(page)


async def _create_overview(docs: Documentation, site_url: str) -> Context:
    text = files("comanda.web.api_reference").joinpath(OVERVIEW).read_text(encoding="utf-8")
    filled = (
        text.replace("{site_url}", site_url)
        .replace("{token_kinds}", _list_token_kinds(docs))
        .replace("{error_codes}", _list_error_codes())
        .replace("{requests_per_minute}", str(runtime.settings().requests_per_minute))
    )
    introduction, heading, rest = filled.partition("## ")
    rendered = render_text(heading + rest, Links(token_prefixes=served_pages.list_token_prefixes(docs)))
    return {
        "introduction": render_text(introduction).html,
        "body": rendered.html,
        "headings": [each for each in rendered.headings if each.level == 2],
    }


def _list_token_kinds(docs: Documentation) -> str:
    rows = []
    for kind in sorted(docs.registry.caller_kinds.values(), key=lambda each: (each.code != "owner", each.code)):
        is_bearer = kind.header == "authorization"
        header = "Authorization: Bearer" if is_bearer else f"{kind.header.title()}:"
        rows.append(f"| {kind.code} | `{header} {kind.prefix}…` |")
    return "\n".join(["| kind of token | header |", "|---|---|", *rows])


def _list_error_codes() -> str:
    rows = [f"| {status} | `{kind.code}` | {kind.message} |" for status, kind in sorted(KINDS.items())]
    return "\n".join(["| status | `code` | message |", "|---|---|---|", *rows])


def _to_page(section: Section) -> Callable[[Documentation, str], Awaitable[Context]]:
    async def create(docs: Documentation, site_url: str) -> Context:
        content = await asyncio.to_thread(docs.catalog.read, section.name)
        view = SectionView(content, docs.registry.caller_kinds, site_url)
        is_events = section.name == EVENTS
        make = view.create_event if is_events else view.create_operation
        shown = []
        # Each operation is a template of its own, so that orders are taken in between.
        for entry, operation in zip(section.entries, content.operations, strict=True):
            part = await render_template("comanda/reference_operation.html", operation=make(entry, operation))
            # Jinja has escaped it.
            shown.append(trust_html(part))
            await asyncio.sleep(0)
        objects = [] if is_events else list(view.list_objects())
        before, after = _find_neighbours(docs, section)
        return {
            "section": section,
            "operations": shown,
            "objects": objects,
            "is_events": is_events,
            "previous": before,
            "next": after,
        }

    return create


def _find_neighbours(docs: Documentation, section: Section) -> tuple[Section | None, Section | None]:
    sections = docs.catalog.sections
    place = sections.index(section)
    return (sections[place - 1] if place else None, sections[place + 1] if place + 1 < len(sections) else None)
