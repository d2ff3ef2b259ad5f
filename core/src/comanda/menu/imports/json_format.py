"""Menus as JSON, of the shape in which their owner reads them."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from json.decoder import JSONDecodeError, JSONDecoder, JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined] # the plain twin of the one in C
from typing import Any

from comanda.errors import BadRequest, ValidationFailed
from comanda.menu.imports.document import MenuDocument, Place, validate


class LocatedObject(dict[str, Any]):
    """An object, and the offset at which it begins."""

    offset = 0


class LocatingDecoder(JSONDecoder):
    """Reads numbers as decimals and remembers where objects begin."""

    def __init__(self) -> None:
        super().__init__(parse_float=Decimal)
        read: Callable[..., tuple[dict[str, Any], int]] = JSONObject

        def parse_object(text_and_end: tuple[str, int], *rest: Any) -> tuple[LocatedObject, int]:
            value, end = read(text_and_end, *rest)
            located = LocatedObject(value)
            located.offset = text_and_end[1] - 1
            return located, end

        self.parse_object = parse_object
        self.scan_once = py_make_scanner(self)


def parse_json(raw: bytes, *, by_line: bool = False) -> MenuDocument:
    """Parse a file: an array of categories, or an object with them as ``menu`` or ``categories``.

    With ``by_line`` the keys of errors begin with the line, as those of CSV do: ``line.12.menu.0.items.3.price``.
    Raises ``BadRequest`` for what is not JSON, ``ValidationFailed`` for a menu that is wrong.
    """
    text = _text(raw)
    try:
        content = LocatingDecoder().decode(text)
    except JSONDecodeError as error:
        raise BadRequest(f"Line {error.lineno}, column {error.colno}: this is not valid JSON: {error.msg}.") from error
    except (RecursionError, ValueError) as error:
        raise BadRequest("This JSON is nested too deeply, or has a number that is too long.") from error
    if isinstance(content, list):
        content = {"menu": content}
    elif isinstance(content, dict) and "menu" not in content and "categories" in content:
        content = {**content, "menu": content["categories"]}
    if not isinstance(content, Mapping):
        raise ValidationFailed(menu=["Must be a list of categories."])

    def locate(path: str) -> Place:
        line = _line(text, content, path)
        return Place(f"line.{line}.{path}" if by_line and line is not None else path, line)

    return validate(content, locate)


def to_json_file(categories: list[dict[str, Any]]) -> bytes:
    """Write a menu as a file that ``parse_json`` reads. Numbers keep the digits of their decimals."""
    return json.dumps({"menu": categories}, ensure_ascii=False, indent=2).encode() + b"\n"


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadRequest(f"Line {line}: this file is not UTF-8. Save it as UTF-8 and try again.") from error


def _line(text: str, content: Any, path: str) -> int | None:
    """Return the line at which the innermost object of a path begins."""
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
