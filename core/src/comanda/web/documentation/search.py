"""The search over the API reference and the guide: by a script of the pages, and without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from comanda.basics.text_search import fold, split_words
from comanda.contracts.web.documentation import Chapter
from comanda.web.api_reference.catalog import EVENTS, Catalog
from comanda.web.documentation.markdown_text import create_anchors, to_plain

MAX_RESULTS: Final = 60
MAX_QUERY_LENGTH: Final = 200
EXCERPT_LENGTH: Final = 180
HEADING: Final = re.compile(r"^(#{2,4})\s+(.+?)\s*#*$")
GUIDE_PATH: Final = "/docs/guide/"
REFERENCE_PATH: Final = "/docs/"


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something to find: ``kind`` is operation, event, chapter or heading; ``place`` is the page that it is on."""

    kind: str
    title: str
    place: str
    href: str
    method: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """An entry with the passage of its text in which the words are."""

    entry: SearchEntry
    excerpt: str = ""


def list_entries(catalog: Catalog, chapters: Iterable[Chapter]) -> Iterator[SearchEntry]:
    """Yield what a search finds by name: operations, events, chapters and their headings."""
    for section in catalog.sections:
        kind = "event" if section.name == EVENTS else "operation"
        for entry in section.entries:
            href = f"{REFERENCE_PATH}{section.name}/#{entry.anchor}"
            detail = entry.path if kind == "operation" else ""
            yield SearchEntry(kind, entry.title, section.title, href, entry.method, detail)
    for chapter in chapters:
        href = GUIDE_PATH + chapter.name
        yield SearchEntry("chapter", chapter.title, "", href, "", chapter.summary)
        if not chapter.is_generated:
            for heading, anchor, _ in list_parts(chapter.text):
                if heading:
                    yield SearchEntry("heading", heading, chapter.title, f"{href}#{anchor}")


def search(query: str, catalog: Catalog, chapters: Iterable[Chapter]) -> list[SearchResult]:
    """Return what has every word of the query, names before texts. It reads all chapters: call it in a thread."""
    words = split_words(query[:MAX_QUERY_LENGTH])
    if not words:
        return []
    known = list(chapters)
    rated = [(rate(entry, words, query), SearchResult(entry)) for entry in list_entries(catalog, known)]
    named = sorted((each for each in rated if each[0]), key=lambda each: -each[0])
    found = {result.entry.href: result for _, result in named}
    for result in _search_texts(words, known):
        found.setdefault(result.entry.href, result)
    return list(found.values())[:MAX_RESULTS]


def rate(entry: SearchEntry, words: list[str], query: str) -> int:
    """Return how well an entry fits: 0 if a word is missing, more for words that begin its title, most for its path."""
    title, rest = fold(entry.title), fold(f"{entry.place} {entry.detail} {entry.method}")
    if not all(word in title or word in rest for word in words):
        return 0
    in_title = sum(1 for word in words if re.search(rf"\b{re.escape(word)}", title))
    is_path = "/" in query and entry.detail.endswith(query.strip())
    return 1 + 2 * in_title + (2 if title.startswith(words[0]) else 0) + (10 if is_path else 0)


def list_parts(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield ``(heading, anchor, text)`` of the parts of a chapter; the heading of the first part is empty."""
    heading, anchor, lines, is_code = "", "", [], False
    anchors = create_anchors()
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        found = None if is_code else HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield heading, anchor, "\n".join(lines)
        heading, lines = re.sub(r"[`*]", "", found[2]), []
        anchor = anchors(heading)
    yield heading, anchor, "\n".join(lines)


def _search_texts(words: list[str], chapters: Iterable[Chapter]) -> Iterator[SearchResult]:
    for chapter in chapters:
        if chapter.is_generated:
            continue
        for heading, anchor, text in list_parts(chapter.text):
            folded = fold(f"{heading} {text}")
            if all(word in folded for word in words):
                href = f"{GUIDE_PATH}{chapter.name}{f'#{anchor}' if anchor else ''}"
                title = heading or chapter.title
                entry = SearchEntry("heading", title, chapter.title, href)
                yield SearchResult(entry, _cut_excerpt(to_plain(text), words))


def _cut_excerpt(text: str, words: list[str]) -> str:
    """Return the part of a text around the first of the words in it."""
    places = [place for word in words if (place := fold(text).find(word)) >= 0]
    start = max(0, min(places, default=0) - EXCERPT_LENGTH // 3)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    excerpt = text[start : start + EXCERPT_LENGTH]
    return f"{'… ' if start else ''}{excerpt.strip()}{' …' if start + EXCERPT_LENGTH < len(text) else ''}"


def to_index(entries: Iterable[SearchEntry]) -> Mapping[str, list[list[str]]]:
    """Return the entries for the script of the pages, as short as they can be."""
    return {"entries": [[each.kind, each.title, each.place, each.href, each.method, each.detail] for each in entries]}
