"""The operations and events of the OpenAPI description, by the pages on which the reference shows them.

What a page shows is kept compressed and read when the page is, because the whole description takes several MiB of
memory as objects.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from comanda.basics.encoding import to_json
from comanda.basics.json_schema import Schema
from comanda.contracts.registry import Registry
from comanda.contracts.requests.routes import Route
from comanda.contracts.web.pages import DocumentedPage
from comanda.web.api_reference.openapi import api_routes, document, documented_pages
from comanda.web.api_reference.refusals import list_refusals
from comanda.web.api_reference.schemas import find_used

EVENTS: Final = "events"
# Addresses below /docs that are no sections of operations.
TAKEN_NAMES: Final = frozenset({EVENTS, "guide", "design", "search", "search.json"})


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation or an event in lists: where it stands on its page, and what it is called.

    ``method`` is empty for an event, and ``path`` is its name.
    """

    anchor: str
    title: str
    method: str
    path: str
    operation_id: str


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the reference: the operations of one tag, or the events."""

    name: str
    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class SectionContent:
    """What a page shows: operations of the description with ``access``, and the schemas that they use."""

    operations: list[dict[str, Any]]
    schemas: dict[str, Schema]


class Catalog:
    """The sections of the reference. What their pages show is made when the first of them is read."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._contents: Mapping[str, bytes] | None = None
        self._building = threading.Lock()
        self._routes = {(route.method, route.full_path): route for route in api_routes(registry)}
        self.sections = (*_list_sections(registry), *_list_events(registry))
        self._by_name = {section.name: section for section in self.sections}
        self.addresses = {
            (entry.method, entry.path): f"{section.name}/#{entry.anchor}"
            for section in self.sections
            for entry in section.entries
        }

    def get_section(self, name: str) -> Section | None:
        """Return a section by its name in addresses, or None."""
        return self._by_name.get(name)

    def read(self, name: str) -> SectionContent:
        """Return what the page of a section shows. The first call takes half a second: call it in a thread."""
        with self._building:
            if self._contents is None:
                self._contents = self._build_contents()
        content = orjson.loads(zlib.decompress(self._contents[name]))
        return SectionContent(content["operations"], content["schemas"])

    def _build_contents(self) -> dict[str, bytes]:
        described = document(self._registry, "")
        schemas: dict[str, Schema] = described["components"]["schemas"]
        contents = {}
        for section in self.sections:
            operations = [self._describe(described, entry) for entry in section.entries]
            packed = {"operations": operations, "schemas": find_used(operations, schemas)}
            contents[section.name] = zlib.compress(to_json(packed), 6)
        return contents

    def _describe(self, described: Mapping[str, Any], entry: Entry) -> dict[str, Any]:
        """Return an operation or event of the description, with what that says in sentences or not at all."""
        if not entry.method:
            return {**described["webhooks"][entry.path]["post"], "method": "", "path": entry.path}
        route = self._routes.get((entry.method, entry.path))
        operation = described["paths"][entry.path][entry.method.lower()]
        access = _describe_access(route) if route else None
        return {**operation, "method": entry.method, "path": entry.path, "access": access}


def _list_sections(registry: Registry) -> Iterator[Section]:
    by_tag: defaultdict[str, list[Route | DocumentedPage]] = defaultdict(list)
    declarations: list[Route | DocumentedPage] = [*api_routes(registry), *documented_pages(registry)]
    for each in declarations:
        by_tag[each.tag].append(each)
    for tag, declared in sorted(by_tag.items()):
        count = Counter(map(_get_handler_name, declared))
        yield Section(_to_section_name(tag), tag, tuple(_to_entry(each, count) for each in declared))


def _list_events(registry: Registry) -> Iterator[Section]:
    entries = [
        Entry(to_anchor(name), name, "", name, f"on_{name.replace('.', '_')}") for name in sorted(registry.events)
    ]
    if entries:
        yield Section(EVENTS, "Events", tuple(entries))


def _to_entry(declared: Route | DocumentedPage, count: Counter[str]) -> Entry:
    """Return the entry of an operation. The anchor is the name of the handler, which says most in the fewest words."""
    handler = _get_handler_name(declared)
    method, path = (declared.method, declared.full_path) if isinstance(declared, Route) else ("GET", declared.path)
    return Entry(
        anchor=to_anchor(handler if handler and count[handler] == 1 else declared.operation_id),
        title=to_title(declared.summary.replace("``", "")),
        method=method,
        path=path,
        operation_id=declared.operation_id,
    )


def _get_handler_name(declared: Route | DocumentedPage) -> str:
    return getattr(declared.handler, "__name__", "") if isinstance(declared, Route) else ""


def to_anchor(text: str) -> str:
    """Return a text as a part of addresses: lower case, words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def to_title(summary: str) -> str:
    """Return the first clause of a summary without its conditions, such as ``Place an order``."""
    title = re.split(r"[.;:] |, (?:newest|oldest|or|with|\d+)\b", summary, maxsplit=1)[0]
    return title.strip().rstrip(".")


def _to_section_name(tag: str) -> str:
    name = to_anchor(tag) or "operations"
    return f"{name}-api" if name in TAKEN_NAMES else name


def _describe_access(route: Route) -> dict[str, Any]:
    """Return what the description says in sentences or not at all: who may call a route, and how it refuses."""
    return {
        "callers": list(route.callers),
        "scope": route.scope,
        "feature": route.feature,
        "is_delegable": route.is_delegable,
        "is_replayable": any(name == "Idempotency-Key" for name, _ in route.headers),
        "max_body_bytes": route.upload.max_bytes,
        "status": route.status,
        "uploads": list(route.upload.content_types),
        "upload_part": route.upload.part,
        "refusals": [[status, code] for status, code in list_refusals(route)],
        "description": route.description,
    }
