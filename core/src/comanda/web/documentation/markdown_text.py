"""Markdown of wheels as HTML: chapters of the guide, and the descriptions of operations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from comanda.basics.lazy_imports import LazyModule
from comanda.web.api_reference.catalog import to_anchor
from comanda.web.documentation.code_blocks import LABELS, highlight, mark_token
from comanda.web.trusted_html import trust_html

if TYPE_CHECKING:
    import markdown_it
    from markdown_it.renderer import RendererProtocol
    from markdown_it.token import Token
else:
    # Imported when the guide is first read: a server that only takes orders is spared 2 MiB of memory.
    markdown_it = LazyModule("markdown_it")

# An operation as chapters name it, such as `GET /api/v1/restaurants/{id}/orders`.
OPERATION: Final = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s?]*)")
# Placeholders of tokens in the commands of chapters, and the kinds of tokens that readers may put there.
TOKEN_VARIABLE: Final = re.compile(r"\$([A-Z]+)_TOKEN\b")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text: its anchor, its words and its level, from 2."""

    anchor: str
    title: str
    level: int


@dataclass(slots=True)
class RenderedText:
    """A text as HTML, with its headings for a list of contents."""

    html: Markup
    headings: list[Heading] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Links:
    """What a text is connected with.

    ``find_address(method, path)`` returns where the reference has an operation; ``base_url`` takes the place of the
    variable that commands use for it; ``token_prefixes`` are those of the kinds of tokens, by their names.
    """

    find_address: Callable[[str, str], str | None] = lambda _method, _path: None
    base_url: str = "$BASE_URL"
    token_prefixes: Mapping[str, str] = field(default_factory=dict)


def render_text(text: str, links: Links | None = None) -> RenderedText:
    """Return Markdown as HTML."""
    environment: dict[str, Any] = {"headings": [], "anchors": create_anchors(), "links": links or Links()}
    html = _create_renderer().render(text, environment)
    # The renderer escapes what it is given, HTML included.
    return RenderedText(trust_html(html), environment["headings"])


def render_description(text: str) -> Markup:
    """Return the description of an operation as HTML; two backticks mean the same as one."""
    return render_text(text.replace("``", "`")).html


def create_anchors() -> Callable[[str], str]:
    """Return a function that makes the anchors of one text from its headings, each of them another one."""
    count: Counter[str] = Counter()

    def create_anchor(heading: str) -> str:
        anchor = to_anchor(heading)[:60].strip("-") or "section"
        count[anchor] += 1
        return anchor if count[anchor] == 1 else f"{anchor}-{count[anchor]}"

    return create_anchor


def _render_table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0"><table>'


def _render_table_close(*_: Any) -> str:
    return "</table></div>"


def _render_fence(
    _: RendererProtocol, tokens: Sequence[Token], position: int, __: Any, environment: dict[str, Any]
) -> str:
    token = tokens[position]
    links: Links = environment["links"]
    code = token.content.rstrip("\n").replace("$BASE_URL", links.base_url)
    language = {"curl": "sh", "console": "sh"}.get(token.info.strip(), token.info.strip()) or _guess_language(code)
    html = highlight(code, language)
    for variable in dict.fromkeys(TOKEN_VARIABLE.findall(code)):
        prefix = links.token_prefixes.get(variable.lower())
        html = mark_token(html, f"${variable}_TOKEN", (prefix,)) if prefix else html
    label = LABELS.get(language, "")
    head = Markup('<span class="code-name">{}</span>').format(label) if label else ""
    return Markup('<div class="code" data-language="{}">{}<pre tabindex="0"><code>{}</code></pre></div>').format(
        language, head, html
    )


def _guess_language(code: str) -> str:
    """Return the language of code without a name: of commands, if it begins like one."""
    return "sh" if re.match(r"(curl|comanda|pip|[A-Z_]+=)", code) else ""


def _render_heading_open(
    _: RendererProtocol, tokens: Sequence[Token], position: int, __: Any, environment: dict[str, Any]
) -> str:
    token = tokens[position]
    words = tokens[position + 1].children or []
    title = "".join(word.content for word in words)
    anchor = environment["anchors"](title)
    environment["headings"].append(Heading(anchor, title, int(token.tag[1])))
    return Markup('<{} id="{}"><a class="anchor" href="#{}">').format(token.tag, anchor, anchor)


def _render_heading_close(_: RendererProtocol, tokens: Sequence[Token], position: int, *__: Any) -> str:
    return f"</a></{tokens[position].tag}>\n"


def _render_code(
    _: RendererProtocol, tokens: Sequence[Token], position: int, __: Any, environment: dict[str, Any]
) -> str:
    code = tokens[position].content
    found = OPERATION.fullmatch(code)
    address = environment["links"].find_address(found[1], found[2]) if found else None
    if address is None and re.fullmatch(r"/docs/[\w/-]*", code):
        address = code
    html = Markup("<code>{}</code>").format(code)
    before = [token.type for token in tokens[:position]]
    is_linked = before.count("link_open") > before.count("link_close")
    return Markup('<a href="{}">{}</a>').format(address, html) if address and not is_linked else html


@cache
def _create_renderer() -> markdown_it.MarkdownIt:
    # Chapters come from wheels, not from tenants; raw HTML in them is still escaped.
    markdown = markdown_it.MarkdownIt("commonmark", {"html": False}).enable("table")
    # Wide content scrolls on phones, and is focusable for keyboard users.
    for name, rule in {
        "table_open": _render_table_open,
        "table_close": _render_table_close,
        "fence": _render_fence,
        "code_block": _render_fence,
        "code_inline": _render_code,
        "heading_open": _render_heading_open,
        "heading_close": _render_heading_close,
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


def to_plain(text: str) -> str:
    """Return Markdown without its marks, for lists of results."""
    without_code = re.sub(r"^```.*?^```$", " ", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"[`*|#>]|\[|\]\([^)]*\)|^-+", " ", without_code)).strip()
