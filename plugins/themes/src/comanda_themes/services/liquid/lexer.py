"""Lexer that splits a file into text, output and tags in one pass, in linear time.

The tokens are those of python-liquid. Its own lexer is a regular expression, which hostile input can keep
backtracking for minutes.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from liquid.token import TOKEN_CONTENT, TOKEN_EXPRESSION, TOKEN_OUTPUT, TOKEN_TAG, Token

from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile

# Longer than any real expression, and short enough for a parser of expressions that is not linear.
MAX_EXPRESSION_LENGTH: Final = 1_000
MAX_BRACKETS: Final = 20
MAX_LIQUID_TAG_LENGTH: Final = 20_000
# Their content is not Liquid.
VERBATIM: Final = frozenset({"raw", "comment", "doc", "schema"})
TAG_NAME: Final = re.compile(r"#|\w+")

# Placeholders for Liquid in the markup: output may become anything, a tag becomes nothing.
OUTPUT_MARK: Final = "\ue000"
TAG_MARK: Final = " "


@dataclass(frozen=True, slots=True)
class LiquidTag:
    """A tag: its name, the expression after it, and the positions of both."""

    name: str
    expression: str
    start: int
    expression_start: int


@dataclass(slots=True)
class LexedFile:
    """A tokenized file. ``markup`` is as long as the text, with placeholders in place of Liquid."""

    tokens: list[Token] = field(default_factory=list)
    tags: list[LiquidTag] = field(default_factory=list)
    outputs: list[tuple[str, int]] = field(default_factory=list)
    schemas: list[tuple[str, int]] = field(default_factory=list)
    markup: str = ""


def lex(file: ThemeFile, findings: FindingCollector) -> LexedFile:
    """Return the tokens of a file. Unclosed Liquid is a finding, and the rest of the file is skipped."""
    return _Lexer(file, findings).run()


class _Lexer:
    def __init__(self, file: ThemeFile, findings: FindingCollector) -> None:
        self._source, self._text, self._findings = file, file.text, findings
        self._made = LexedFile()
        self._markup: list[str] = []
        self._place = 0
        self._is_trimming = False

    def run(self) -> LexedFile:
        while (start := self._find_opening()) >= 0:
            self._add_content(self._place, start)
            if not self._process_liquid(start):
                break
        else:
            self._add_content(self._place, len(self._text))
        self._made.markup = "".join(self._markup)
        return self._made

    def _find_opening(self) -> int:
        place = self._text.find("{", self._place)
        while place >= 0 and self._text[place + 1 : place + 2] not in {"{", "%"}:
            place = self._text.find("{", place + 1)
        return place

    def _add_content(self, start: int, end: int) -> None:
        if start < end:
            content = self._text[start:end]
            self._markup.append(content)
            content = content.lstrip() if self._is_trimming else content
            content = content.rstrip() if self._text[end + 2 : end + 3] == "-" else content
            if content:
                self._add_token(TOKEN_CONTENT, content, start)

    def _process_liquid(self, start: int) -> bool:
        """Process output or a tag; return False if it is not closed."""
        is_output = self._text.startswith("{{", start)
        closing = "}}" if is_output else "%}"
        end = self._text.find(closing, start + 2)
        if end < 0:
            self._add_error(start, f"This is opened and never closed with {closing}.")
            return False
        self._add_placeholder(start, end + 2, OUTPUT_MARK if is_output else TAG_MARK)
        inner_start = start + 2 + self._text.startswith("-", start + 2)
        inner = self._text[inner_start:end]
        self._is_trimming = inner.endswith("-")
        inner = inner.removesuffix("-")
        inner_start += len(inner) - len(inner.lstrip())
        if is_output:
            self._process_output(start, inner_start, inner.strip())
            return True
        return self._process_tag(start, inner_start, inner.strip(), end + 2)

    def _process_output(self, start: int, inner_start: int, expression: str) -> None:
        if not expression:
            self._add_error(start, "There is nothing between these braces.")
        elif self._check_length(start, expression):
            self._add_token(TOKEN_OUTPUT, "{{", start)
            self._add_token(TOKEN_EXPRESSION, expression, inner_start)
            self._made.outputs.append((expression, inner_start))

    def _process_tag(self, start: int, inner_start: int, inner: str, end: int) -> bool:
        found = TAG_NAME.match(inner)
        if found is None:
            self._add_error(start, "This tag has no name.")
            return True
        name, rest = found.group(), inner[found.end() :]
        expression = rest.strip()
        expression_start = inner_start + found.end() + len(rest) - len(rest.lstrip())
        if name in VERBATIM:
            return self._process_verbatim(name, start, end)
        if self._check_length(start, expression, has_lines=name == "liquid"):
            self._made.tags.append(LiquidTag(name, expression, inner_start, expression_start))
            self._add_token(TOKEN_TAG, name, inner_start)
            if expression:
                self._add_token(TOKEN_EXPRESSION, expression, expression_start)
        return True

    def _process_verbatim(self, name: str, start: int, end: int) -> bool:
        closing = re.compile(r"\{%-?\s*end" + name + r"\s*-?%\}").search(self._text, end)
        if closing is None:
            self._add_error(start, f"The tag {name} is never closed with end{name}.")
            return False
        inner = self._text[end : closing.start()]
        if name == "schema":
            self._made.schemas.append((inner, end))
        self._is_trimming = closing.group().endswith("-%}")
        if name == "raw":
            self._add_token(TOKEN_CONTENT, inner, end)
            self._markup.append(inner)
        else:
            self._markup.append(TAG_MARK * len(inner))
        self._add_placeholder(closing.start(), closing.end(), TAG_MARK)
        return True

    def _check_length(self, start: int, expression: str, *, has_lines: bool = False) -> bool:
        lines = expression.splitlines() if has_lines and len(expression) <= MAX_LIQUID_TAG_LENGTH else [expression]
        if all(len(line) <= MAX_EXPRESSION_LENGTH and line.count("[") <= MAX_BRACKETS for line in lines):
            return True
        message = f"More than {MAX_EXPRESSION_LENGTH:,} characters or {MAX_BRACKETS} brackets in one place."
        self._findings.add(self._source, start, "too_complex", message)
        return False

    def _add_placeholder(self, start: int, end: int, mark: str) -> None:
        self._markup.append(mark * (end - start))
        self._place = end

    def _add_token(self, kind: str, value: str, start: int) -> None:
        self._made.tokens.append(Token(kind, value, start, self._text))

    def _add_error(self, start: int, message: str) -> None:
        self._findings.add(self._source, start, "liquid_syntax", message)
