"""Overview of this installation for agents that are new to it."""

from typing import Final

import comanda
from comanda.contracts import API_PREFIX, Registry

from comanda_mcp_dev.schemas.documentation import (
    Addresses,
    ChapterSummary,
    Credential,
    InstalledPlugin,
    NextCall,
    Overview,
    Server,
    StoreType,
)
from comanda_mcp_dev.services.chapters import IndexedChapter
from comanda_mcp_dev.services.search_index import get_index

ABOUT: Final = (
    "Comanda is an ordering platform: owners have stores, stores have menus, and orders come in by REST and over MCP. "
    "Everything beyond stores, menus and orders is a plugin, so installations differ; this is what is installed here."
)
ERRORS: Final = (
    "Every error is JSON with `message` for people and `code` for programs; 422 adds `errors`, sentences by dotted "
    "field. What belongs to somebody else answers 404. Fetch the chapter `api` for all codes."
)
GUIDE: Final = "/docs/guide/"
MAX_TOPIC_CHAPTERS: Final = 6
# The declarations of plugins that matter to users of an installation. Operations have a chapter of their own.
SHOWN_DECLARATIONS: Final = frozenset(
    {"vertical", "item capability", "fulfillment mode", "caller kind", "event", "MCP tool", "documentation chapter"}
)


def describe_installation(registry: Registry, site_url: str, topic: str | None) -> Overview:
    """Return an overview of the installation and what to read about a topic."""
    chapters = _list_chapters(registry, topic)
    return Overview(
        about=ABOUT,
        release=comanda.__version__,
        addresses=Addresses(
            site_url=site_url,
            api=site_url + API_PREFIX,
            openapi=f"{site_url}{API_PREFIX}/openapi.json",
            reference=f"{site_url}/docs/",
            guide=site_url + GUIDE,
        ),
        authentication=[
            Credential(kind=kind.code, prefix=kind.prefix, header=_to_header(kind.header))
            for kind in registry.caller_kinds.values()
        ],
        about_errors=ERRORS,
        store_types=_list_store_types(registry),
        servers=_list_servers(registry, site_url),
        plugins=[
            InstalledPlugin(
                name=plugin.name,
                version=plugin.version,
                declares={
                    what: list(names)
                    for what, names in registry.contributions[plugin.name].items()
                    if what in SHOWN_DECLARATIONS
                },
            )
            for plugin in registry.plugins
        ],
        chapters=[ChapterSummary(**to_summary(chapter, site_url)) for chapter in chapters],
        next=_list_next_calls(registry, chapters, topic),
    )


def to_summary(chapter: IndexedChapter, site_url: str) -> dict[str, str]:
    """Return a chapter's summary with its URL; the endpoints' URL is the API reference."""
    path = "/docs/" if chapter.weight < 1 else GUIDE + chapter.name
    fields = {"name": chapter.name, "title": chapter.title, "summary": chapter.summary}
    return {**fields, "url": site_url + path}


def _list_chapters(registry: Registry, topic: str | None) -> list[IndexedChapter]:
    index = get_index(registry)
    if not topic:
        return list(index.chapters.values())
    hits = index.search(topic, limit=40)
    about = list(dict.fromkeys(hit.chunk.chapter.name for hit in hits))[:MAX_TOPIC_CHAPTERS]
    return [index.chapters[name] for name in about] or list(index.chapters.values())


def _to_header(name: str) -> str:
    if name == "authorization":
        return "Authorization: Bearer <token>"
    return f"{'-'.join(part.capitalize() for part in name.split('-'))}: <token>"


def _list_store_types(registry: Registry) -> list[StoreType]:
    return [
        StoreType(
            store_type=vertical.store_type,
            label=vertical.label,
            group=vertical.group,
            capabilities=list(vertical.capabilities),
            fulfillment_modes=list(vertical.fulfillment_modes),
        )
        for vertical in registry.verticals.values()
    ]


def _list_servers(registry: Registry, site_url: str) -> list[Server]:
    return [
        Server(
            name=server.name,
            title=server.title,
            url=site_url + server.path,
            callers=list(server.callers),
            scope=server.scope,
            tools=[key.partition("/")[2] for key in registry.mcp_tools if key.startswith(f"{server.name}/")],
        )
        for server in registry.mcp_servers.values()
    ]


def _list_next_calls(registry: Registry, chapters: list[IndexedChapter], topic: str | None) -> list[NextCall]:
    calls = []
    if topic:
        calls.append(NextCall(tool="search_docs", arguments={"query": topic}, why="The passages about your topic."))
    first = chapters[0].name if topic else "start"
    if first in get_index(registry).chapters:
        calls.append(NextCall(tool="fetch_full_doc", arguments={"id": first}, why="Read this chapter first."))
    calls.append(NextCall(tool="fetch_full_doc", arguments={"id": "endpoints"}, why="Every operation that is there."))
    if "dev/list_webhook_events" in registry.mcp_tools:
        calls.append(NextCall(tool="list_webhook_events", arguments={}, why="The events that webhooks can send."))
    calls.append(NextCall(tool="get_section_schema", arguments={}, why="Only for themes: how sections are declared."))
    return calls
