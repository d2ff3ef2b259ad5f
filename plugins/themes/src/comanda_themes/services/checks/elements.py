"""Elements of HTML markup, parsed in one pass: their names, attributes and positions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from comanda_themes.services.liquid.lexer import OUTPUT_MARK

TAG_NAME: Final = re.compile("[a-zA-Z][a-zA-Z0-9-]{0,50}")
ATTRIBUTE_NAME: Final = re.compile(rf"[^\s\"'<>/={OUTPUT_MARK}]{{1,100}}")
BARE_VALUE: Final = re.compile(r"[^\s\"'<>`]{1,2000}")
SPACE: Final = re.compile(r"[\s/]*")
# Elements whose content is text up to their end tag.
END_TAGS: Final = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title")}
MAX_ELEMENTS: Final = 100_000


@dataclass(frozen=True, slots=True)
class MarkupElement:
    """A start or end tag. Values are verbatim; with ``is_open_ended`` Liquid may add attributes."""

    name: str
    start: int
    is_end: bool
    attributes: Mapping[str, str]
    is_open_ended: bool
    content: str = ""


def list_elements(markup: str, text: str) -> Iterator[MarkupElement]:
    """Yield elements in order. ``markup`` is ``text`` with placeholders in place of Liquid."""
    place, count = 0, 0
    while (place := markup.find("<", place)) >= 0 and count < MAX_ELEMENTS:
        if markup.startswith("<!--", place):
            place = markup.find("-->", place + 4)
            if place < 0:
                return
            continue
        is_end = markup.startswith("/", place + 1)
        name = TAG_NAME.match(markup, place + 1 + is_end)
        if name is None:
            place += 1
            continue
        found, after = _parse_element(markup, text, place, name.group().lower(), name.end(), is_end)
        yield found
        place, count = after, count + 1


def _parse_element(
    markup: str, text: str, start: int, name: str, place: int, is_end: bool
) -> tuple[MarkupElement, int]:
    attributes: dict[str, str] = {}
    is_open_ended = False
    while True:
        place = _skip_space(markup, place)
        if place >= len(markup) or markup[place] in "<>":
            break
        attribute = ATTRIBUTE_NAME.match(markup, place)
        if attribute is None:
            is_open_ended = is_open_ended or markup[place] == OUTPUT_MARK
            place += 1
            continue
        value, place = _parse_value(markup, text, attribute.end())
        attributes.setdefault(attribute.group().lower(), value)
    place = min(len(markup), place + (markup[place : place + 1] == ">"))
    content = ""
    if name in END_TAGS and not is_end:
        end = END_TAGS[name].search(markup, place)
        beyond = end.start() if end else len(markup)
        content, place = text[place:beyond], beyond
    return MarkupElement(name, start, is_end, attributes, is_open_ended, content), place


def _skip_space(markup: str, place: int) -> int:
    found = SPACE.match(markup, place)
    return found.end() if found else place


def _parse_value(markup: str, text: str, place: int) -> tuple[str, int]:
    after = _skip_space(markup, place)
    if markup[after : after + 1] != "=":
        return "", place
    place = after + 1
    while markup[place : place + 1].isspace():
        place += 1
    quote = markup[place : place + 1]
    if quote in {'"', "'"}:
        end = markup.find(quote, place + 1)
        end = len(markup) if end < 0 else end
        return text[place + 1 : end], end + 1
    found = BARE_VALUE.match(markup, place)
    return (text[place : found.end()], found.end()) if found else ("", place)
