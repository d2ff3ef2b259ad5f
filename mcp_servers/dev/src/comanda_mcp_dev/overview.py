"""What this installation is, for an agent that meets it for the first time."""

from typing import Final

import comanda
from comanda.contracts.registry import Registry
from comanda.contracts.routes import API_PREFIX

from comanda_mcp_dev.documents import Document
from comanda_mcp_dev.index import index_of
from comanda_mcp_dev.schemas import (
    Addresses,
    ChapterSummary,
    Credential,
    InstalledPlugin,
    NextCall,
    Overview,
    Server,
    StoreType,
)

ABOUT: Final = (
    "Comanda is an ordering platform: owners have stores, stores have menus, and orders come in by REST and over MCP. "
    "Everything beyond stores, menus and orders is a plugin, so installations differ; this is what is installed here."
)
ERRORS: Final = (
    "Every error is JSON with `message` for people and `code` for programs; 422 adds `errors`, sentences by dotted "
    "field. What belongs to somebody else answers 404. Fetch the chapter `api` for all codes."
)
GUIDE: Final = "/docs/guide/"
CHAPTERS_ABOUT_A_TOPIC: Final = 6
# Of what plugins declare, that which matters to whoever uses an installation. Operations are in their own list.
TELLING: Final = frozenset(
    {"vertical", "item capability", "fulfillment mode", "caller kind", "event", "MCP tool", "documentation chapter"}
)


def overview(registry: Registry, site_url: str, topic: str | None) -> Overview:
    """Describe the installation, and what to read about a topic."""
    chapters = _chapters(registry, topic)
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
            Credential(kind=kind.code, prefix=kind.prefix, header=_header(kind.header))
            for kind in registry.caller_kinds.values()
        ],
        about_errors=ERRORS,
        store_types=_store_types(registry),
        servers=_servers(registry, site_url),
        plugins=[
            InstalledPlugin(
                name=plugin.name,
                version=plugin.version,
                declares={
                    what: list(names) for what, names in registry.contributions[plugin.name].items() if what in TELLING
                },
            )
            for plugin in registry.plugins
        ],
        chapters=[ChapterSummary(**summary_of(document, site_url)) for document in chapters],
        next=_next(registry, chapters, topic),
    )


def summary_of(document: Document, site_url: str) -> dict[str, str]:
    """Tell what a chapter is and where a person reads it; the list of endpoints is at the reference."""
    path = "/docs/" if document.weight < 1 else GUIDE + document.name
    fields = {"name": document.name, "title": document.title, "summary": document.summary}
    return {**fields, "url": site_url + path}


def _chapters(registry: Registry, topic: str | None) -> list[Document]:
    index = index_of(registry)
    if not topic:
        return list(index.documents.values())
    hits = index.search(topic, limit=40)
    about = list(dict.fromkeys(hit.chunk.document.name for hit in hits))[:CHAPTERS_ABOUT_A_TOPIC]
    return [index.documents[name] for name in about] or list(index.documents.values())


def _header(name: str) -> str:
    if name == "authorization":
        return "Authorization: Bearer <token>"
    return f"{'-'.join(part.capitalize() for part in name.split('-'))}: <token>"


def _store_types(registry: Registry) -> list[StoreType]:
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


def _servers(registry: Registry, site_url: str) -> list[Server]:
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


def _next(registry: Registry, chapters: list[Document], topic: str | None) -> list[NextCall]:
    calls = []
    if topic:
        calls.append(NextCall(tool="search_docs", arguments={"query": topic}, why="The passages about your topic."))
    first = chapters[0].name if topic else "start"
    if first in index_of(registry).documents:
        calls.append(NextCall(tool="fetch_full_doc", arguments={"id": first}, why="Read this chapter first."))
    calls.append(NextCall(tool="fetch_full_doc", arguments={"id": "endpoints"}, why="Every operation that is there."))
    if "dev/list_webhook_events" in registry.mcp_tools:
        calls.append(NextCall(tool="list_webhook_events", arguments={}, why="What you can be told of as it happens."))
    calls.append(NextCall(tool="get_section_schema", arguments={}, why="Only for themes: how sections are declared."))
    return calls
