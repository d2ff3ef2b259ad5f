"""Paths of the files of a theme."""

import re
from collections.abc import Collection, Mapping
from typing import Final, Literal, get_args

from comanda_themes.services.liquid.findings import FindingCollector

Template = Literal["index", "menu", "category", "item", "search", "404"]
# Pages that the platform renders itself; themes written for others have templates of these names.
PLATFORM_TEMPLATES: Final = ("cart", "order", "page")

REQUIRED_PATHS: Final[Mapping[str, str]] = {
    "layout/theme.liquid": "the page around every template",
    "templates/index.liquid": "the store's first page",
    "templates/menu.liquid": "the menu",
}
TEMPLATES: Final[tuple[str, ...]] = get_args(Template)
NAME: Final = "[a-z0-9]+(?:[-_][a-z0-9]+)*"
KNOWN_PATHS: Final = (
    re.compile(rf"layout/{NAME}\.liquid"),
    re.compile(rf"templates/(?:{'|'.join((*TEMPLATES, *PLATFORM_TEMPLATES))})(?:\.{NAME})?\.liquid"),
    re.compile(rf"(?:sections|snippets)/{NAME}\.liquid"),
    re.compile(rf"assets/{NAME}(?:\.min)?\.(?:css|js|svg|png|jpe?g|webp|avif|gif|ico|woff2|json|txt)"),
    re.compile(r"locales/[a-z]{2}(?:-[A-Z]{2})?(?:\.default)?\.json"),
    re.compile(r"config/settings_(?:schema|data)\.json"),
)


def check_paths(paths: Collection[str], findings: FindingCollector) -> None:
    """Add findings for unknown files and for missing required ones."""
    for path in paths:
        if not is_known(path):
            message = "No file of a theme is called that; see the chapter themes for the folders and their files."
            findings.add(path[:200], 0, "unknown_path", message)
        elif path.removeprefix("templates/").partition(".")[0] in PLATFORM_TEMPLATES:
            message = "The platform renders this page itself: the file is not used."
            findings.add(path, 0, "unused_template", message, is_warning=True)
    for path, what in REQUIRED_PATHS.items():
        if path not in paths:
            findings.add(path, 0, "required_file", f"This file is missing: {what}.")


def is_known(path: str) -> bool:
    """Return whether a path is one of a theme."""
    return len(path) <= 200 and any(pattern.fullmatch(path) for pattern in KNOWN_PATHS)
