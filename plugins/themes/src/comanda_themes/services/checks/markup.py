"""Checks of the markup: accessibility and the content security policy of pages."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from comanda_themes.services.checks.elements import MarkupElement, list_elements
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import LexedFile

ALT_ARGUMENT: Final = re.compile(r"\|\s*image_tag\b(?![^|]*\balt\s*:)")
FOREIGN: Final = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
SCRIPT_ADDRESS: Final = re.compile(r"^\s*javascript:", re.IGNORECASE)
FOREIGN_IN_STYLE: Final = re.compile(
    r"(?:@import\s{0,20}(?:url\()?|url\()\s{0,20}[\"']?\s{0,20}(?:https?:)?//", re.IGNORECASE
)
NEEDS_NO_LABEL: Final = frozenset({"hidden", "submit", "button", "reset", "image"})
LABEL_ATTRIBUTES: Final = ("aria-label", "aria-labelledby", "title")
# Scripts of these types are data, which browsers do not run.
DATA_TYPES: Final = frozenset({"application/json", "application/ld+json"})
SOURCE_ATTRIBUTES: Final = {"script": "src", "iframe": "src", "frame": "src", "object": "data", "embed": "src"}


def check_markup(file: ThemeFile, lexed: LexedFile, findings: FindingCollector) -> None:
    """Add findings about the markup of a Liquid file."""
    found = list(list_elements(lexed.markup, file.text))
    _Accessibility(file, findings).check(found)
    for element in found:
        if not element.is_end:
            _check_policy(file, element, findings)
    for expression, place in lexed.outputs:
        if ALT_ARGUMENT.search(expression):
            message = "image_tag needs alt: what the image shows, or '' where it is decoration."
            findings.add(file, place, "img_alt", message)
        if "_tag" in expression and "://" in expression and "image_tag" not in expression:
            findings.add(file, place, "external_reference", _to_foreign_message("script or style sheet"))


def check_style(file: ThemeFile, findings: FindingCollector) -> None:
    """Add findings about what a style sheet loads from other hosts."""
    for match in FOREIGN_IN_STYLE.finditer(file.text):
        findings.add(file, match.start(), "external_reference", _to_foreign_message("file"))


class _Accessibility:
    def __init__(self, file: ThemeFile, findings: FindingCollector) -> None:
        self._source, self._findings = file, findings

    def check(self, found: Sequence[MarkupElement]) -> None:
        labelled = {one.attributes["for"] for one in found if one.name == "label" and one.attributes.get("for")}
        inside_labels = 0
        for element in found:
            if element.name == "label":
                inside_labels = max(0, inside_labels + (-1 if element.is_end else 1))
            elif not element.is_end:
                self._check(element, labelled, is_inside_label=inside_labels > 0)

    def _check(self, element: MarkupElement, labelled: set[str], *, is_inside_label: bool) -> None:
        attributes = element.attributes
        if element.name == "img" and "alt" not in attributes and not element.is_open_ended:
            message = 'This image has no alt: what it shows, or alt="" where it is decoration.'
            self._findings.add(self._source, element.start, "img_alt", message)
        elif element.name == "html" and not attributes.get("lang") and not element.is_open_ended:
            message = 'The page does not say its language: <html lang="{{ request.locale }}">.'
            self._findings.add(self._source, element.start, "html_lang", message)
        elif element.name == "iframe" and not attributes.get("title") and not element.is_open_ended:
            self._findings.add(self._source, element.start, "frame_title", "This frame has no title.")
        elif _is_field(element) and not (is_inside_label or _is_labelled(element, labelled)):
            message = "This field has no label: a <label for> with its id, a <label> around it, or aria-label."
            self._findings.add(self._source, element.start, "field_label", message)


def _is_field(element: MarkupElement) -> bool:
    if element.name == "input":
        return element.attributes.get("type", "text").lower() not in NEEDS_NO_LABEL
    return element.name in {"select", "textarea"}


def _is_labelled(element: MarkupElement, labelled: Iterable[str]) -> bool:
    attributes = element.attributes
    named = any(attributes.get(name) for name in LABEL_ATTRIBUTES)
    return named or element.is_open_ended or attributes.get("id", "") in labelled


def _check_policy(file: ThemeFile, element: MarkupElement, findings: FindingCollector) -> None:
    """Add findings about code and styles that the content security policy blocks: inline or from other hosts."""
    attributes = element.attributes
    place = element.start
    is_style = element.name == "link" and "stylesheet" in attributes.get("rel", "").lower()
    loaded = attributes.get("href" if is_style else SOURCE_ATTRIBUTES.get(element.name, ""), "")
    if loaded and FOREIGN.match(loaded):
        findings.add(
            file, place, "external_reference", _to_foreign_message("style sheet" if is_style else element.name)
        )
    if element.name == "script" and attributes.get("type", "").lower() not in DATA_TYPES and element.content.strip():
        findings.add(file, place, "inline_script", "Pages run no script from markup: put it into assets/.")
    if element.name == "style" or "style" in attributes:
        findings.add(file, place, "inline_style", "Pages take no style from markup: put it into assets/.")
    for name, value in attributes.items():
        if name.startswith("on") and len(name) > 2:
            message = f"Pages run no {name[:30]} from markup: add a listener in a script of assets/."
            findings.add(file, place, "inline_script", message)
        elif SCRIPT_ADDRESS.match(value):
            findings.add(file, place, "inline_script", "Pages open no address that begins with javascript:.")


def _to_foreign_message(what: str) -> str:
    return f"Pages load no {what} from another host: put a copy into assets/ and use asset_url."
