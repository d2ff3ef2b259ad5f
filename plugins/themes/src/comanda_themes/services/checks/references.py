"""Checks that the snippets, sections, assets and texts that a file refers to are in the theme."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import LexedFile, LiquidTag

QUOTED: Final = re.compile(r"""^(["'])([^"']{1,200})\1""")
PARAMETER: Final = re.compile(r"(\w[\w-]*)\s*:")
ALIAS: Final = re.compile(r"\b(?:with|for)\s+[\w.\[\]'\"-]+(?:\s+as\s+(\w[\w-]*))?")
FILTERED_TEXT: Final = re.compile(r"""(["'])([^"'\n]{1,200})\1\s{0,20}\|\s{0,20}(t|asset_url)\b""")
# Only text assets are part of the checked files; others may be missing.
TEXT_ASSETS: Final = (".css", ".js", ".svg", ".json", ".txt")


def check_references(
    file: ThemeFile, lexed: LexedFile, paths: Collection[str], texts: Collection[str], findings: FindingCollector
) -> None:
    """Add findings for missing references. ``texts`` are the keys of the default locale, empty if there is none."""
    for tag in _list_tags(lexed):
        if tag.name in {"render", "section"} and (quoted := QUOTED.match(tag.expression)):
            folder = "snippets" if tag.name == "render" else "sections"
            wanted = f"{folder}/{quoted.group(2)}.liquid"
            if wanted not in paths:
                findings.add(file, tag.start, f"missing_{folder[:-1]}", f"The theme has no {wanted[:200]}.")
        if tag.name in {"section", "sections"} and not file.path.startswith(("layout/", "templates/")):
            message = "Sections belong in layouts and templates, not in each other; use render."
            findings.add(file, tag.start, "section_place", message)
    for expression, place in [*lexed.outputs, *((tag.expression, tag.expression_start) for tag in lexed.tags)]:
        for found in FILTERED_TEXT.finditer(expression):
            _check_filtered(file, place + found.start(), found.group(2), found.group(3), paths, texts, findings)


def _check_filtered(
    file: ThemeFile,
    place: int,
    name: str,
    used: str,
    paths: Collection[str],
    texts: Collection[str],
    findings: FindingCollector,
) -> None:
    if used == "asset_url" and name.endswith(TEXT_ASSETS) and f"assets/{name}" not in paths:
        findings.add(file, place, "missing_asset", f"The theme has no assets/{name}.", is_warning=True)
    elif used == "t" and texts and name not in texts:
        message = f"The default file of locales/ has no text {name}."
        findings.add(file, place, "missing_text", message, is_warning=True)


def collect_parameters(files: Mapping[str, LexedFile]) -> dict[str, set[str]]:
    """Return the values that are passed to each snippet anywhere in the theme."""
    given: dict[str, set[str]] = {}
    for lexed in files.values():
        for tag in _list_tags(lexed):
            if tag.name == "render" and (quoted := QUOTED.match(tag.expression)):
                rest = tag.expression[quoted.end() :]
                names = given.setdefault(f"snippets/{quoted.group(2)}.liquid", {"forloop"})
                names.update(PARAMETER.findall(rest))
                names.update(alias or quoted.group(2) for alias in ALIAS.findall(rest))
    return given


def list_keys(document: Any, prefix: str = "") -> Iterator[str]:
    """Yield the dotted keys of a file of locales/."""
    if isinstance(document, dict):
        for name, value in document.items():
            path = f"{prefix}{name}"
            yield path
            yield from list_keys(value, f"{path}.")


def _list_tags(lexed: LexedFile) -> Iterator[LiquidTag]:
    for tag in lexed.tags:
        if tag.name != "liquid":
            yield tag
            continue
        place = tag.expression_start
        for line in tag.expression.splitlines(keepends=True):
            name, _, rest = line.strip().partition(" ")
            yield LiquidTag(name, rest.strip(), place + len(line) - len(line.lstrip()), place)
            place += len(line)
