"""Rendering of a theme's pages in this process."""

import json
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from comanda.web import trust_html, use_language
from liquid import BoundTemplate
from liquid.context import RenderContext
from liquid.exceptions import LiquidError, ResourceLimitError
from markupsafe import escape

from comanda_themes.services.liquid.tags import SECTION_RENDERER
from comanda_themes.services.rendering.arrangement import Arrangement, PlacedSection, parse_schema, to_section_object
from comanda_themes.services.rendering.environment import RenderEnvironment, page_filters, page_problems
from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.filters import PageFilters
from comanda_themes.services.rendering.page_requests import PageRequest, RenderedTheme
from comanda_themes.services.rendering.styles import to_section_rule, to_theme_rule
from comanda_themes.services.theme_files import ThemeFiles

# Stands in the head for the style element, and in nothing that themes or people write.
STYLE_MARK: Final = "<!--\0style-->"
LAYOUT: Final = "layout/theme.liquid"
DEFAULT_LOCALE_SUFFIX: Final = ".default.json"
MAX_COMPILED_THEMES: Final = 20
SECTION_MARKUP: Final = '<{element} id="section-{id}" class="section-{type}" data-section="{id}">{content}</{element}>'


class CompiledTheme:
    """A theme whose files are parsed at their first use."""

    def __init__(self, theme: ThemeFiles) -> None:
        self._texts = theme.texts
        self._environment = RenderEnvironment(theme.texts)
        self._templates: dict[str, BoundTemplate] = {}
        self._schemas: dict[str, Any] = {}
        self._locales: dict[str, Mapping[str, str]] = {}
        self._arrangement = Arrangement(theme.texts)

    def has(self, path: str) -> bool:
        """Return whether the theme has a file."""
        return path in self._texts

    def render(self, page: PageRequest) -> RenderedTheme:
        """Render a page. Raises ``ThemeFailed`` if it exceeds a limit or the theme lacks the template."""
        problems: list[str] = []
        filters = PageFilters(page, self._get_locale(page.language)).to_mapping()
        tokens = page_filters.set(filters), page_problems.set(problems)
        try:
            with use_language(page.language):
                html, style = self._render_page(page)
        except (ResourceLimitError, RecursionError) as error:
            raise ThemeFailed(f"The theme exceeds a limit: {error}.") from error
        except LiquidError as error:
            raise ThemeFailed(f"The theme cannot be rendered: {error}.") from error
        finally:
            page_filters.reset(tokens[0])
            page_problems.reset(tokens[1])
        return RenderedTheme(html, tuple(problems), style)

    def _render_page(self, page: PageRequest) -> tuple[str, str]:
        path = f"templates/{page.template}.liquid"
        if path not in self._texts:
            raise ThemeFailed(f"The theme has no {path}.")
        settings = self._arrangement.get_theme_settings(page.objects)
        rules = [to_theme_rule(self._arrangement.theme_settings, settings)]
        values = {**page.objects, "settings": settings, SECTION_RENDERER: partial(self._render_sections, rules)}
        content = self._get_template(path).render(values)
        # Both are markup that was escaped when it was made. The layout's own sections come after its head, so that
        # the style element is put in last.
        parts = {"content_for_header": trust_html(page.head + STYLE_MARK), "content_for_layout": trust_html(content)}
        html = self._get_template(LAYOUT).render({**values, **parts})
        style = "".join(rules)
        return html.replace(STYLE_MARK, f"<style>{style}</style>" if style else ""), style

    def _render_sections(self, rules: list[str], tag: str, name: str, context: RenderContext) -> str:
        placed = (
            [self._arrangement.get_fixed_section(name)] if tag == "section" else self._arrangement.list_sections(name)
        )
        return "".join(self._render_section(rules, each, index, context) for index, each in enumerate(placed, 1))

    def _render_section(self, rules: list[str], placed: PlacedSection, index: int, context: RenderContext) -> str:
        path = f"sections/{placed.type}.liquid"
        if path not in self._texts:
            page_problems.get().append(f"The theme has no {path}.")
            return ""
        if path not in self._schemas:
            self._schemas[path] = parse_schema(self._texts[path])
        schema = self._schemas[path]
        values: Mapping[str, Any] = context.globals
        section: Mapping[str, Any] = {
            "id": placed.id,
            "type": placed.type,
            "settings": {},
            "blocks": [],
            "index": index,
        }
        if schema is not None:
            section = to_section_object(placed, schema, index, values)
            rules.append(to_section_rule(placed.id, schema.settings, section["settings"]))
        content = self._get_template(path).render({**values, "section": section})
        element = schema.tag if schema is not None else "div"
        return SECTION_MARKUP.format(element=element, id=escape(placed.id), type=escape(placed.type), content=content)

    def _get_template(self, path: str) -> BoundTemplate:
        if path not in self._templates:
            self._templates[path] = self._environment.from_string(self._texts[path], name=path)
        return self._templates[path]

    def _get_locale(self, language: str) -> Mapping[str, str]:
        """Return the texts of a language by their dotted keys, each from the default locale if it lacks one."""
        if language not in self._locales:
            default = next((path for path in self._texts if path.endswith(DEFAULT_LOCALE_SUFFIX)), "")
            own = [f"locales/{language}.json", f"locales/{language}{DEFAULT_LOCALE_SUFFIX}"]
            texts: dict[str, str] = {}
            for path in (default, *own):
                texts |= _flatten(_load_json(self._texts.get(path, "{}")))
            self._locales[language] = texts
        return self._locales[language]


_compiled: OrderedDict[str, CompiledTheme] = OrderedDict()


def compile_theme(theme: ThemeFiles) -> CompiledTheme:
    """Return a theme ready to render; those used last are kept."""
    found = _compiled.get(theme.key)
    if found is None:
        found = _compiled[theme.key] = CompiledTheme(theme)
        if len(_compiled) > MAX_COMPILED_THEMES:
            _compiled.popitem(last=False)
    _compiled.move_to_end(theme.key)
    return found


def _load_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def _flatten(document: Any, prefix: str = "") -> dict[str, str]:
    if isinstance(document, str):
        return {prefix.removesuffix("."): document}
    if not isinstance(document, dict):
        return {}
    return {key: text for name, value in document.items() for key, text in _flatten(value, f"{prefix}{name}.").items()}
