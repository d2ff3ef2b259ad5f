"""Menus as JSON, in the format of the owner's menu."""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from json.decoder import JSONDecodeError, JSONDecoder
from json.scanner import py_make_scanner  # type: ignore[attr-defined] # undocumented; it alone calls `parse_object`
from typing import Any

from comanda.errors import BadRequest, ValidationFailed
from comanda.menu.imports.document import MenuDocument, SourceLocation, validate_menu


class LocatedObject(dict[str, Any]):
    """A JSON object that knows the offset at which it begins."""

    offset = 0


class LocatingDecoder(JSONDecoder):
    """A JSON decoder that returns numbers as decimals and records where objects begin."""

    def __init__(self) -> None:
        super().__init__(parse_float=Decimal)
        read: Callable[..., tuple[dict[str, Any], int]] = vars(self)["parse_object"]

        def parse_object(text_and_end: tuple[str, int], *rest: Any) -> tuple[LocatedObject, int]:
            value, end = read(text_and_end, *rest)
            located = LocatedObject(value)
            located.offset = text_and_end[1] - 1
            return located, end

        self.parse_object = parse_object
        self.scan_once = py_make_scanner(self)


def parse_json(raw: bytes, *, by_line: bool = False) -> MenuDocument:
    """Parse a JSON file: an array of categories, or an object with them as ``menu`` or ``categories``.

    With ``by_line`` the keys of errors begin with the line, as for CSV: ``line.12.menu.0.items.3.price``. Raises
    ``BadRequest`` for invalid JSON and ``ValidationFailed`` for an invalid menu.
    """
    text = _decode(raw)
    try:
        content = LocatingDecoder().decode(text)
    except JSONDecodeError as error:
        raise BadRequest(f"Line {error.lineno}, column {error.colno}: this is not valid JSON: {error.msg}.") from error
    except (RecursionError, ValueError) as error:
        raise BadRequest("This JSON is nested too deeply or contains a number that is too long.") from error
    if isinstance(content, list):
        content = {"menu": content}
    elif isinstance(content, dict) and "menu" not in content and "categories" in content:
        content = {**content, "menu": content["categories"]}
    if not isinstance(content, Mapping):
        raise ValidationFailed(menu=["Must be a list of categories."])

    def locate(path: str) -> SourceLocation:
        line = _find_line(text, content, path)
        return SourceLocation(f"line.{line}.{path}" if by_line and line is not None else path, line)

    return validate_menu(content, locate)


def to_json_file(categories: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a menu as JSON for ``parse_json``."""
    return json.dumps({"menu": categories}, ensure_ascii=False, indent=2).encode() + b"\n"


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadRequest(f"Line {line}: this file is not UTF-8. Save it as UTF-8 and try again.") from error


def _find_line(text: str, content: Any, path: str) -> int | None:
    """Return the line of the innermost object of a path."""
    offset: int | None = None
    for step in path.split("."):
        if isinstance(content, LocatedObject):
            offset = content.offset
        if isinstance(content, Mapping):
            content = content.get(step)
        elif isinstance(content, list) and step.isdigit() and int(step) < len(content):
            content = content[int(step)]
        else:
            break
    if isinstance(content, LocatedObject):
        offset = content.offset
    return None if offset is None else text.count("\n", 0, offset) + 1
