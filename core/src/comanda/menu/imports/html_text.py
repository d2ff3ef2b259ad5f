"""The text of cells in HTML, in which other systems write descriptions."""

import re
from html.parser import HTMLParser
from typing import Final

MARKUP: Final = re.compile(r"</?[a-z][^<>]*>|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
# No text that anybody writes is longer, and parsing takes more than linear time.
MAX_CHARACTERS: Final = 20_000
UNSEEN_TAGS: Final = frozenset({"script", "style", "template", "head"})
INLINE_TAGS: Final = frozenset({"a", "b", "em", "i", "mark", "s", "small", "span", "strong", "sub", "sup", "u"})


def to_plain_text(text: str) -> str:
    """Return what a browser shows of a text with tags or character references, and other text as it is."""
    if len(text) > MAX_CHARACTERS or MARKUP.search(text) is None:
        return text
    parser = _TextParser()
    parser.feed(text)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).splitlines())
    return "\n".join(line for line in lines if line)


class _TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in UNSEEN_TAGS
        self._begin_line(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in UNSEEN_TAGS and self._unseen > 0
        self._begin_line(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)

    def _begin_line(self, tag: str) -> None:
        if tag not in INLINE_TAGS:
            self.parts.append("\n")
