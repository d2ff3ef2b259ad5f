"""Parses Liquid with python-liquid, which never renders here and finds no file to include."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from liquid import BoundTemplate, Environment, Mode
from liquid.ast import Node
from liquid.builtin.expressions import StringLiteral, parse_primitive
from liquid.exceptions import LiquidError, LiquidSyntaxError
from liquid.expression import Expression
from liquid.parser import Parser
from liquid.static_analysis import TemplateAnalysis, analyze
from liquid.stream import TokenStream
from liquid.tag import Tag
from liquid.token import TOKEN_TAG, Token

from comanda_mcp_dev import reference
from comanda_mcp_dev.themes.findings import Findings, Source
from comanda_mcp_dev.themes.lexing import Lexed, LiquidTag

# Tags that stand inside others.
INNER: Final = frozenset({"else", "elsif", "when"})
WITHOUT_FINDINGS: Final = "unexpected tag '"


class SectionNode(Node):
    """A place where a section goes."""

    def __init__(self, token: Token, name: Expression) -> None:
        super().__init__(token)
        self.name = name

    def expressions(self) -> Iterable[Expression]:
        """The section's name."""
        yield self.name

    def render_to_output(self, context: Any, buffer: Any) -> int:  # pragma: no cover - nothing is rendered
        """Sections are put in by whoever shows the theme."""
        raise NotImplementedError


class SectionTag(Tag):
    """``{% section 'name' %}``."""

    name = "section"
    block = False

    def parse(self, stream: TokenStream) -> Node:
        """Take the name. Raises ``LiquidSyntaxError`` for what is no text."""
        token = stream.eat(TOKEN_TAG)
        tokens = stream.into_inner(tag=token, eat=False)
        name = parse_primitive(self.env, tokens)
        if not isinstance(name, StringLiteral):
            raise LiquidSyntaxError("a section is named by a text", token=token)
        tokens.expect_eos()
        return SectionNode(token, name)


class ThemeEnvironment(Environment):
    """Takes the tags of the reference alone, and notes errors in place of raising them."""

    def __init__(self) -> None:
        super().__init__(tolerance=Mode.LAX)
        self.errors: list[LiquidError] = []

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        """Keep what the reference lists."""
        super().setup_tags_and_filters(extra=extra)
        self.add_tag(SectionTag)
        kept = {*reference.tags(), "#", "content", "output", "illegal"}
        self.tags = {name: tag for name, tag in self.tags.items() if name in kept}
        self.filters = {name: found for name, found in self.filters.items() if name in reference.filters()}

    def error(self, exc: Any, msg: str | None = None, token: Token | None = None) -> None:
        """Note an error, with the place where it was met."""
        found = exc if isinstance(exc, LiquidError) else exc(msg, token=token)
        found.token = found.token or token
        self.errors.append(found)


@cache
def _environment() -> ThemeEnvironment:
    return ThemeEnvironment()


def parse(source: Source, lexed: Lexed, findings: Findings) -> TemplateAnalysis | None:
    """Parse a file and tell what it uses; None where it is too deep to tell. Not for several threads at once."""
    environment = _environment()
    environment.errors = []
    try:
        nodes = Parser(environment).parse(TokenStream(iter(lexed.tokens)))
        template = BoundTemplate(environment, nodes=nodes, name="")
        analysis = analyze(template, include_partials=False)
    except (RecursionError, LiquidError) as error:
        message = str(error.message) if isinstance(error, LiquidError) else "This file is nested too deeply."
        findings.add(source, 0, "too_complex", message)
        analysis = None
    _tell(source, lexed, environment.errors, findings)
    environment.errors = []
    return analysis


def _tell(source: Source, lexed: Lexed, errors: Sequence[LiquidError], findings: Findings) -> None:
    for error in errors:
        place = error.token.start_index if error.token is not None else 0
        message = str(error.message)
        name = message.removeprefix(WITHOUT_FINDINGS).removesuffix("'") if message.startswith(WITHOUT_FINDINGS) else ""
        if name and not _is_known_part(name):
            findings.add(source, place, "unknown_tag", f"There is no tag {name[:50]}.")
        elif place < 0 and (unclosed := _unclosed(lexed.tags)) is not None:
            closing = reference.tags()[unclosed.name]["block"]
            findings.add(
                source, unclosed.start, "liquid_syntax", f"The tag {unclosed.name} is never closed with {closing}."
            )
        else:
            findings.add(source, place if place >= 0 else len(source.text), "liquid_syntax", _sentence(message))


def _unclosed(tags: Iterable[LiquidTag]) -> LiquidTag | None:
    """Return the innermost tag that is open at the end, or None where none is."""
    stack: list[LiquidTag] = []
    for tag in tags:
        if "block" in reference.tags().get(tag.name, ()):
            stack.append(tag)
        elif stack and tag.name == reference.tags()[stack[-1].name]["block"]:
            stack.pop()
    return stack[-1] if stack else None


def _is_known_part(name: str) -> bool:
    ends = {tag["block"] for tag in reference.tags().values() if "block" in tag}
    return name in ends | INNER or name in reference.tags()


def _sentence(message: str) -> str:
    shown = message[:200].rstrip(".")
    return f"{shown[:1].upper()}{shown[1:]}."
