"""Parser of Liquid on top of python-liquid, which never renders here and has no files to include."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from liquid import BoundTemplate, Environment, Mode
from liquid.exceptions import LiquidError
from liquid.parser import Parser
from liquid.static_analysis import TemplateAnalysis, analyze
from liquid.stream import TokenStream
from liquid.token import Token

from comanda_themes.services.liquid import reference
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import LexedFile, LiquidTag
from comanda_themes.services.liquid.tags import TAGS

# Tags that only occur inside others.
INNER_TAGS: Final = frozenset({"else", "elsif", "when"})
UNEXPECTED_TAG: Final = "unexpected tag '"


class ThemeEnvironment(Environment):
    """An environment with only the tags of the reference, which collects errors instead of raising them."""

    def __init__(self) -> None:
        super().__init__(tolerance=Mode.LAX)
        self.errors: list[LiquidError] = []

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        """Keep only the tags and filters of the reference."""
        super().setup_tags_and_filters(extra=extra)
        for tag in TAGS:
            self.add_tag(tag)
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
