"""The chapters of this installation, split into chunks whose ids depend on their headings."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from comanda.contracts import ANY_SCOPE, Registry
from comanda.platform import runtime
from comanda.web.api_reference import api_routes

# About the length of an answer to one question.
MAX_CHUNK_LENGTH: Final = 1_500
HEADING: Final = re.compile(r"(#{2,4})\s+(.+?)\s*#*$")
FENCE: Final = re.compile(r"\s*(```|~~~)")
ENDPOINTS: Final = "endpoints"
# Lists that are made from code have every word, and answer few questions.
GENERATED_WEIGHT: Final = 0.5


@dataclass(frozen=True, slots=True)
class IndexedChapter:
    """A chapter. ``weight`` scales the scores of its chunks; it is 1 for written chapters."""

    name: str
    title: str
    summary: str
    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class ChapterChunk:
    """A part of a chapter under one heading, which is empty before the first heading."""

    id: str
    chapter: IndexedChapter
    heading: str
    text: str


def list_chapters(registry: Registry) -> list[IndexedChapter]:
    """List the chapters of core and of the installed plugins, and a chapter of endpoints made from the routes."""
    site_url = runtime.settings().site_url
    registered = [
        IndexedChapter(
            one.name, one.title, one.summary, one.render_text(site_url), GENERATED_WEIGHT if one.is_generated else 1.0
        )
        for one in registry.docs.values()
    ]
    return [*registered, _create_endpoints_chapter(registry)]


def split_chapter(chapter: IndexedChapter) -> Iterator[ChapterChunk]:
    """Yield the chunks of a chapter, split at headings and, if a section is long, between paragraphs."""
    seen: defaultdict[str, int] = defaultdict(int)
    for heading, text in _split_sections(chapter.text):
        for part in _split_parts(text):
            slug = to_slug(heading) or "start"
            seen[slug] += 1
            suffix = f"-{seen[slug]}" if seen[slug] > 1 else ""
            yield ChapterChunk(f"{chapter.name}#{slug}{suffix}", chapter, heading, part)


def to_slug(heading: str) -> str:
    """Return the part of a chunk's id that is made from its heading."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")[:60]


def _split_sections(text: str) -> Iterator[tuple[str, str]]:
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


def _split_parts(text: str) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for paragraph in _split_paragraphs(text):
        if part and size + len(paragraph) > MAX_CHUNK_LENGTH:
            yield "\n\n".join(part)
            part, size = [], 0
        part.append(paragraph)
        size += len(paragraph)
    if part:
        yield "\n\n".join(part)


def _split_paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs, split at empty lines but not within code."""
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


def _create_endpoints_chapter(registry: Registry) -> IndexedChapter:
    by_tag: defaultdict[str, list[str]] = defaultdict(list)
    for route in api_routes(registry):
        who = "no token" if not route.callers else f"{' or '.join(route.callers)} token"
        scope = f", scope `{route.scope}`" if route.callers and route.scope and route.scope != ANY_SCOPE else ""
        by_tag[route.tag].append(f"- `{route.method} {route.full_path}` ({who}{scope}): {route.summary}")
    text = "\n\n".join(f"## {tag}\n" + "\n".join(lines) for tag, lines in by_tag.items())
    summary = "Every operation of this installation with who may call it; fields are in the OpenAPI description."
    return IndexedChapter(ENDPOINTS, "Endpoints", summary, text, GENERATED_WEIGHT)
