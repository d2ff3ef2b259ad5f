"""The environment in which a theme's files are parsed and rendered: escaped output, bounded work."""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial
from typing import Any, ClassVar, Final

from liquid import BoundTemplate, DictLoader, Environment, Mode
from liquid.ast import Node
from liquid.exceptions import LiquidError, ResourceLimitError
from liquid.parser import Parser
from liquid.stream import TokenStream
from liquid.token import Token

from comanda_themes.services.liquid import reference
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import lex
from comanda_themes.services.liquid.tags import TAGS
from comanda_themes.services.rendering.filters import Filter

# A page of 1,000 items with 20 extras each takes 20,000 iterations.
MAX_LOOP_ITERATIONS: Final = 200_000
MAX_OUTPUT_BYTES: Final = 4_000_000
MAX_VARIABLE_BYTES: Final = 8_000_000
MAX_PROBLEMS: Final = 20
SNIPPETS: Final = "snippets/"

# The filters and problems of the rendering in hand; a theme's environment is shared by all renderings.
page_filters: ContextVar[Mapping[str, Filter]] = ContextVar("page_filters")
page_problems: ContextVar[list[str]] = ContextVar("page_problems")


class RenderEnvironment(Environment):
    """The environment of one theme. Errors of Liquid leave their output out and are collected."""

    context_depth_limit: ClassVar[int] = 30
    loop_iteration_limit: ClassVar[int | None] = MAX_LOOP_ITERATIONS
    output_stream_limit: ClassVar[int | None] = MAX_OUTPUT_BYTES
    local_namespace_limit: ClassVar[int | None] = MAX_VARIABLE_BYTES

    def __init__(self, texts: Mapping[str, str]) -> None:
        snippets = {
            path.removeprefix(SNIPPETS).removesuffix(".liquid"): text
            for path, text in texts.items()
            if path.startswith(SNIPPETS)
        }
        super().__init__(tolerance=Mode.LAX, autoescape=True, loader=DictLoader(snippets))
        self._snippets: dict[str, BoundTemplate] = {}

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        """Keep the tags and filters of the reference, with those that depend on the page."""
        super().setup_tags_and_filters(extra=extra)
        for tag in TAGS:
            self.add_tag(tag)
        kept = {*reference.load_tags(), "#", "content", "output", "illegal"}
        self.tags = {name: tag for name, tag in self.tags.items() if name in kept}
        self.filters = {
            name: partial(_call_page_filter, name) if found["group"] in {"store", "files"} else self.filters[name]
            for name, found in reference.load_filters().items()
        }

    def get_template(self, name: str, **_: Any) -> BoundTemplate:
        """Return a snippet, parsed once."""
        if name not in self._snippets:
            self._snippets[name] = super().get_template(name)
        return self._snippets[name]

    def error(self, exc: Any, msg: str | None = None, token: Token | None = None) -> None:
        """Collect an error; raise it if a limit is exceeded."""
        found = exc if isinstance(exc, LiquidError) else exc(msg, token=token)
        if isinstance(found, ResourceLimitError):
            raise found
        problems = page_problems.get(None)
        if problems is not None and len(problems) < MAX_PROBLEMS:
            problems.append(str(found.message)[:200])

    def _parse(self, source: str) -> list[Node]:
        # With the lexer of the checks: that of python-liquid can keep backtracking.
        tokens = lex(ThemeFile("", source), FindingCollector()).tokens
        return Parser(self).parse(TokenStream(iter(tokens)))


def _call_page_filter(name: str, *values: Any, **named: Any) -> Any:
    return page_filters.get()[name](*values, **named)
