"""The documentation of this installation, cut into chunks that keep their ids as long as their headings stay."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from comanda.api_reference.openapi import api_routes
from comanda.contracts.registry import Registry
from comanda.contracts.routes import ANY_SCOPE

# About as much as answers one question.
CHUNK_CHARACTERS: Final = 1_500
HEADING: Final = re.compile(r"(#{2,4})\s+(.+?)\s*#*$")
FENCE: Final = re.compile(r"\s*(```|~~~)")
ENDPOINTS: Final = "endpoints"


@dataclass(frozen=True, slots=True)
class Document:
    """A chapter. ``weight`` is how much its chunks count in a search, 1 for what somebody wrote."""

    name: str
    title: str
    summary: str
    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a chapter under one heading, empty before the first."""

    id: str
    document: Document
    heading: str
    text: str


def documents(registry: Registry) -> list[Document]:
    """List the chapters of core and of the installed plugins, and the endpoints, as the routes tell them."""
    written = [Document(one.name, one.title, one.summary, one.text) for one in registry.docs.values()]
    return [*written, _endpoints(registry)]


def chunks(document: Document) -> Iterator[Chunk]:
    """Cut a chapter at its headings, and where much stands under one, between paragraphs."""
    seen: defaultdict[str, int] = defaultdict(int)
    for heading, text in _sections(document.text):
        for part in _parts(text):
            slug = slugify(heading) or "start"
            seen[slug] += 1
            suffix = f"-{seen[slug]}" if seen[slug] > 1 else ""
            yield Chunk(f"{document.name}#{slug}{suffix}", document, heading, part)


def slugify(heading: str) -> str:
    """Make the part of an id from a heading."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")[:60]


def _sections(text: str) -> Iterator[tuple[str, str]]:
    heading, lines, is_code = "", [], False
    for line in text.splitlines():
        if FENCE.match(line):
            is_code = not is_code
        found = None if is_code else HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        if any(map(str.strip, lines)):
            yield heading, "\n".join(lines).strip("\n")
        heading, lines = found.group(2), []
    if any(map(str.strip, lines)):
        yield heading, "\n".join(lines).strip("\n")


def _parts(text: str) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for paragraph in _paragraphs(text):
        if part and size + len(paragraph) > CHUNK_CHARACTERS:
            yield "\n\n".join(part)
            part, size = [], 0
        part.append(paragraph)
        size += len(paragraph)
    if part:
        yield "\n\n".join(part)


def _paragraphs(text: str) -> Iterator[str]:
    """Cut at empty lines, but not within code."""
    lines: list[str] = []
    is_code = False
    for line in text.splitlines():
        if FENCE.match(line):
            is_code = not is_code
        if line.strip() or is_code:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _endpoints(registry: Registry) -> Document:
    by_tag: defaultdict[str, list[str]] = defaultdict(list)
    for route in api_routes(registry):
        who = "no token" if not route.callers else f"{' or '.join(route.callers)} token"
        scope = f", scope `{route.scope}`" if route.callers and route.scope and route.scope != ANY_SCOPE else ""
        by_tag[route.tag].append(f"- `{route.method} {route.full_path}` ({who}{scope}): {route.summary}")
    text = "\n\n".join(f"## {tag}\n" + "\n".join(lines) for tag, lines in by_tag.items())
    summary = "Every operation of this installation with who may call it; fields are in the OpenAPI description."
    return Document(ENDPOINTS, "Endpoints", summary, text, weight=0.5)
