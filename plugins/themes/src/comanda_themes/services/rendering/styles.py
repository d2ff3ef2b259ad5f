"""The owner's settings as variables of CSS: ``--setting-accent`` for a theme's setting ``accent``.

A strict policy allows no ``style`` in markup. So colours, numbers and choices come in one style element of the platform
whose hash the page's policy names: those of the theme for the page, those of a section for the section.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from comanda_themes.services.checks.section_schema import AnySetting

COLOR: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
CHOICE: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}")
UNIT: Final = re.compile(r"[a-z%]{0,5}")
SECTION_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,49}")


def to_theme_rule(settings: Iterable[AnySetting], values: Mapping[str, Any]) -> str:
    """Return the rule for the theme's own settings, empty without any."""
    return _to_rule(":root", settings, values)


def to_section_rule(id: str, settings: Iterable[AnySetting], values: Mapping[str, Any]) -> str:
    """Return the rule for the settings of a placed section."""
    return _to_rule(f'[data-section="{id}"]', settings, values) if SECTION_ID.fullmatch(id) else ""


def _to_rule(selector: str, settings: Iterable[AnySetting], values: Mapping[str, Any]) -> str:
    declarations = ";".join(_list_declarations(settings, values))
    return f"{selector}{{{declarations}}}" if declarations else ""


def _list_declarations(settings: Iterable[AnySetting], values: Mapping[str, Any]) -> Iterator[str]:
    for setting in settings:
        value = _to_css(setting, values.get(setting.id))
        if value is not None:
            yield f"--setting-{setting.id}:{value}"


def _to_css(setting: AnySetting, value: Any) -> str | None:
    """Return a value that cannot end its declaration, or None for what CSS has no use for."""
    if setting.type == "color" and isinstance(value, str) and COLOR.fullmatch(value):
        return value
    if setting.type == "select" and isinstance(value, str) and CHOICE.fullmatch(value):
        return value
    if setting.type == "range" and isinstance(value, int | float) and not isinstance(value, bool):
        unit = setting.unit or ""
        return f"{value:g}{unit}" if UNIT.fullmatch(unit) else f"{value:g}"
    return None
