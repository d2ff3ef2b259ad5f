"""What other plugins may use of themes: the Liquid they are written in, their checks, and their rendering."""

from comanda_themes.services.checks.section_schema import SectionSchema, SettingsGroup
from comanda_themes.services.liquid.findings import CheckReport, Severity, ThemeFinding
from comanda_themes.services.liquid.limits import MAX_BYTES, MAX_FILES
from comanda_themes.services.liquid.reference import ObjectProperty, ThemeObject, load_filters, load_objects, load_tags
from comanda_themes.services.published_themes import find_preview, load_theme
from comanda_themes.services.rendering.page_requests import PageRequest, RenderedTheme
from comanda_themes.services.rendering.pages import render_page_or_default
from comanda_themes.services.theme_checks import check_theme, list_item_fields
from comanda_themes.services.theme_files import ThemeFiles, load_default_theme

__all__ = [
    "MAX_BYTES",
    "MAX_FILES",
    "CheckReport",
    "ObjectProperty",
    "PageRequest",
    "RenderedTheme",
    "SectionSchema",
    "SettingsGroup",
    "Severity",
    "ThemeFiles",
    "ThemeFinding",
    "ThemeObject",
    "check_theme",
    "find_preview",
    "list_item_fields",
    "load_default_theme",
    "load_filters",
    "load_objects",
    "load_tags",
    "load_theme",
    "render_page_or_default",
]
