"""Parser of Liquid on top of python-liquid, which never renders here and has no files to include."""

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

from comanda_mcp_dev.services.themes import reference
from comanda_mcp_dev.services.themes.findings import FindingCollector, ThemeFile
from comanda_mcp_dev.services.themes.lexer import LexedFile, LiquidTag

# Tags that only occur inside others.
INNER_TAGS: Final = frozenset({"else", "elsif", "when"})
UNEXPECTED_TAG: Final = "unexpected tag '"


class SectionNode(Node):
    """The position of a section."""

    def __init__(self, token: Token, name: Expression) -> None:
        super().__init__(token)
        self.name = name

    def expressions(self) -> Iterable[Expression]:
        """Yield the section's name."""
        yield self.name

    def render_to_output(self, context: Any, buffer: Any) -> int:
        """Refuse to render: themes are only checked here."""
        raise NotImplementedError


class SectionTag(Tag):
    """``{% section 'name' %}``."""

    name = "section"
    block = False

    def parse(self, stream: TokenStream) -> Node:
        """Parse the section's name. Raises ``LiquidSyntaxError`` unless it is a string."""
        token = stream.eat(TOKEN_TAG)
        tokens = stream.into_inner(tag=token, eat=False)
        name = parse_primitive(self.env, tokens)
        if not isinstance(name, StringLiteral):
            raise LiquidSyntaxError("a section is named by a text", token=token)
        tokens.expect_eos()
        return SectionNode(token, name)


class ThemeEnvironment(Environment):
    """An environment with only the tags of the reference, which collects errors instead of raising them."""

    def __init__(self) -> None:
        super().__init__(tolerance=Mode.LAX)
        self.errors: list[LiquidError] = []

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        """Keep only the tags and filters of the reference."""
        super().setup_tags_and_filters(extra=extra)
        self.add_tag(SectionTag)
        kept = {*reference.load_tags(), "#", "content", "output", "illegal"}
        self.tags = {name: tag for name, tag in self.tags.items() if name in kept}
        self.filters = {name: found for name, found in self.filters.items() if name in reference.load_filters()}

    def error(self, exc: Any, msg: str | None = None, token: Token | None = None) -> None:
        """Collect an error with its position."""
        found = exc if isinstance(exc, LiquidError) else exc(msg, token=token)
        found.token = found.token or token
        self.errors.append(found)


@cache
def _get_environment() -> ThemeEnvironment:
    return ThemeEnvironment()


def parse_file(file: ThemeFile, lexed: LexedFile, findings: FindingCollector) -> TemplateAnalysis | None:
    """Parse a file and return what it uses; None if it is nested too deeply. Not thread-safe."""
    environment = _get_environment()
    environment.errors = []
    try:
        nodes = Parser(environment).parse(TokenStream(iter(lexed.tokens)))
        template = BoundTemplate(environment, nodes=nodes, name="")
        analysis = analyze(template, include_partials=False)
    except (RecursionError, LiquidError) as error:
        message = str(error.message) if isinstance(error, LiquidError) else "This file is nested too deeply."
        findings.add(file, 0, "too_complex", message)
        analysis = None
    _report_errors(file, lexed, environment.errors, findings)
    environment.errors = []
    return analysis


def _report_errors(
    file: ThemeFile, lexed: LexedFile, errors: Sequence[LiquidError], findings: FindingCollector
) -> None:
    for error in errors:
        place = error.token.start_index if error.token is not None else 0
        message = str(error.message)
        name = message.removeprefix(UNEXPECTED_TAG).removesuffix("'") if message.startswith(UNEXPECTED_TAG) else ""
        if name and not _is_known_tag(name):
            findings.add(file, place, "unknown_tag", f"There is no tag {name[:50]}.")
        elif place < 0 and (unclosed := _find_unclosed_tag(lexed.tags)) is not None:
            closing = reference.load_tags()[unclosed.name]["block"]
            findings.add(
                file, unclosed.start, "liquid_syntax", f"The tag {unclosed.name} is never closed with {closing}."
            )
        else:
            findings.add(file, place if place >= 0 else len(file.text), "liquid_syntax", _to_sentence(message))


def _find_unclosed_tag(tags: Iterable[LiquidTag]) -> LiquidTag | None:
    """Return the innermost tag that is not closed, or None."""
    stack: list[LiquidTag] = []
    for tag in tags:
        if "block" in reference.load_tags().get(tag.name, ()):
            stack.append(tag)
        elif stack and tag.name == reference.load_tags()[stack[-1].name]["block"]:
            stack.pop()
    return stack[-1] if stack else None


def _is_known_tag(name: str) -> bool:
    ends = {tag["block"] for tag in reference.load_tags().values() if "block" in tag}
    return name in ends | INNER_TAGS or name in reference.load_tags()


def _to_sentence(message: str) -> str:
    shown = message[:200].rstrip(".")
    return f"{shown[:1].upper()}{shown[1:]}."
