"""Menus as JSON, in the format of the owner's menu."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import count
from json.decoder import JSONDecodeError
from typing import Any, Final

from comanda.basics.csv_tables import decode_text
from comanda.basics.errors import BadRequest, ValidationFailed
from comanda.menu.imports.document import (
    ImportProblems,
    MenuDocument,
    ProblemLimitExceeded,
    SourceLocation,
    validate_menu,
)
from comanda.menu.imports.json_presets import JsonPreset
from comanda.menu.imports.notes import ImportNotes
from comanda.menu.imports.preset_json_format import ConvertedMenu, JsonConverter, find_root

# Values are counted before they are parsed, and cheaply: with the commas in texts.
MIN_MAX_VALUES: Final = 250_000
MAX_VALUES_PER_ITEM: Final = 125
MAX_NUMBER_CHARACTERS: Final = 60
# The next brace outside of texts. Its parts exclude each other, so that no text makes it slow.
BRACE: Final = re.compile(r'[^{}"]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^{}"]*)*(?:([{}])|\Z)', re.DOTALL)


class LocatedObject(dict[str, Any]):
    """A JSON object that knows how many objects end before it does."""

    number = 0


def parse_json(
    raw: bytes, currency: str, max_items: int, *, charset: str | None = None, by_line: bool = False
) -> MenuDocument:
    """Parse a JSON file: an array of categories, or an object with them as ``menu`` or ``categories``.

    Menus of other systems are recognized by their keys.

    With ``by_line`` the keys of errors begin with the line, as for CSV: ``line.12.menu.0.items.3.price``. Raises
    ``BadRequest`` for invalid JSON and ``ValidationFailed`` for an invalid menu.
    """
    text = decode_text(raw, charset)
    max_values = max(MIN_MAX_VALUES, max_items * MAX_VALUES_PER_ITEM)
    if sum(map(text.count, "{[,")) > max_values:
        raise BadRequest(f"A menu may have at most {max_values:,} values.")
    content = _decode(text)
    if found := find_root(content):
        return _read_foreign(*found, content, text, currency, max_items)
    if isinstance(content, list):
        content = {"menu": content}
    elif isinstance(content, dict) and "menu" not in content and "categories" in content:
        content = {"menu" if key == "categories" else key: value for key, value in content.items()}
    if not isinstance(content, Mapping):
        raise ValidationFailed(menu=["Must be a list of categories."])
    lines: list[int] = []

    def locate(path: str) -> SourceLocation:
        if not lines:
            lines.extend(_list_lines(text))
        line = _find_line(lines, content, path)
        return SourceLocation(f"line.{line}.{path}" if by_line and line is not None else path, line)

    return validate_menu(content, locate, max_items)


def _read_foreign(
    preset: JsonPreset, root: Any, content: Any, text: str, currency: str, max_items: int
) -> MenuDocument:
    """Return the menu of another system. Keys of errors begin with the line, because its paths are not ours."""
    menu, notes, lines = ConvertedMenu(), ImportNotes(), _list_lines(text)

    def get_line(origin: Any) -> int | None:
        return lines[origin.number] if isinstance(origin, LocatedObject) else None

    def locate(path: str) -> SourceLocation:
        line = get_line(menu.find_origin(path))
        return SourceLocation(path if line is None else f"line.{line}.{path}", line)

    problems = ImportProblems(locate)
    try:
        JsonConverter(preset, root, currency, menu, notes, problems, get_line).convert()
    except ProblemLimitExceeded:
        problems.check()
    options = {name: content[name] for name in ("dry_run", "remove_missing") if name in content}
    document = validate_menu({"menu": menu.categories, **options}, locate, max_items, problems)
    open_prices = frozenset(menu.open_prices)
    return replace(document, open_prices=open_prices, source=preset.name, notes=notes.list_all())


def to_json_file(categories: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a menu as JSON for ``parse_json``, with one item on each line."""
    to_text = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    parts = []
    for category in categories:
        items = ",\n".join(map(to_text, category["items"]))
        head = to_text({name: value for name, value in category.items() if name != "items"})
        parts.append(f'{head[:-1]},"items":[\n{items}\n]}}')
    return f'{{"menu":[\n{",".join(parts)}\n]}}\n'.encode()


def _decode(text: str) -> Any:
    numbers = count()

    def to_object(pairs: list[tuple[str, Any]]) -> LocatedObject:
        # Objects are complete in the order in which they end.
        found = LocatedObject(pairs)
        found.number = next(numbers)
        return found

    try:
        return json.loads(text, object_pairs_hook=to_object, parse_float=_to_decimal, parse_int=_to_int)
    except JSONDecodeError as error:
        raise BadRequest(f"Line {error.lineno}, column {error.colno}: this is not valid JSON: {error.msg}.") from error
    except (RecursionError, ValueError) as error:
        raise BadRequest("This JSON is nested too deeply or contains a number that is too long.") from error


def _to_decimal(text: str) -> Decimal:
    return Decimal(_check_length(text))


def _to_int(text: str) -> int:
    return int(_check_length(text))


def _check_length(text: str) -> str:
    if len(text) > MAX_NUMBER_CHARACTERS:
        raise ValueError("too long")
    return text


def _list_lines(text: str) -> list[int]:
    """Return the line on which each object begins, in the order in which they end."""
    found, begun, line, counted_to = [], [], 1, 0
    for match in BRACE.finditer(text):
        if match[1] == "{":
            line, counted_to = line + text.count("\n", counted_to, match.end()), match.end()
            begun.append(line)
        elif match[1]:
            found.append(begun.pop())
    return found


def _find_line(lines: Sequence[int], content: Any, path: str) -> int | None:
    """Return the line of the innermost object of a path."""
    line: int | None = None
    for step in (*path.split("."), None):
        if isinstance(content, LocatedObject):
            line = lines[content.number]
        if step is not None and isinstance(content, Mapping):
            content = content.get(step)
        elif step is not None and isinstance(content, list) and step.isdecimal() and len(step) < 8:
            content = content[int(step)] if int(step) < len(content) else None
        else:
            break
    return line
