"""The first sheet of a workbook (``.xlsx``), read within limits: a small archive can hold a very large sheet."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element, ParseError, iterparse

from comanda.basics.errors import BadRequest

DIRECTORY_ENTRY: Final = b"PK\x01\x02"
WORKBOOK: Final = "xl/workbook.xml"
RELATIONS: Final = "xl/_rels/workbook.xml.rels"
SHARED_TEXTS: Final = "xl/sharedStrings.xml"
MAX_PARTS: Final = 500
MAX_PART_BYTES: Final = 8 * 1024 * 1024
MAX_TAGS: Final = 120_000
MAX_CELLS: Final = 25_000
MAX_CHARACTERS: Final = 4 * 1024 * 1024
MAX_COLUMN: Final = 1000
COLUMN_LETTERS: Final = re.compile(r"[A-Z]{1,3}(?=[0-9]{1,7}\Z)", re.ASCII)
UNREADABLE: Final = "This workbook cannot be read. Save it as CSV UTF-8 and try again."
PLAIN_NUMBER: Final = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?", re.ASCII)
TOO_LARGE: Final = "This workbook is too large. Save the sheet with the menu as CSV UTF-8 and try again."


def read_workbook(raw: bytes) -> list[tuple[int, list[str]]]:
    """Return the rows of the first sheet with their numbers.

    Raises ``BadRequest`` for other archives and beyond the limits.
    """
    if raw.count(DIRECTORY_ENTRY) > MAX_PARTS:
        raise BadRequest(TOO_LARGE)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            texts = [_get_text(element) for element in _iterate(archive, SHARED_TEXTS, "si")]
            return _read_sheet(archive, _find_first_sheet(archive), texts)
    except (zipfile.BadZipFile, zlib.error, ParseError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise BadRequest(UNREADABLE) from error


def _find_first_sheet(archive: zipfile.ZipFile) -> str:
    """Return the part with the sheet that the workbook lists first."""
    targets = {each.get("Id"): each.get("Target", "") for each in _iterate(archive, RELATIONS, "Relationship")}
    for sheet in _iterate(archive, WORKBOOK, "sheet"):
        target = targets.get(next((value for name, value in sheet.items() if name.endswith("}id")), None), "")
        return target[1:] if target.startswith("/") else f"xl/{target}"
    raise BadRequest(UNREADABLE)


def _read_sheet(archive: zipfile.ZipFile, part: str, texts: list[str]) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    cells_count = characters = 0
    for element in _iterate(archive, part, "row"):
        number, cells = int(element.get("r") or (rows[-1][0] if rows else 0) + 1), list[str]()
        for cell in element:
            name = COLUMN_LETTERS.match(cell.get("r", ""))
            column = _to_number(name[0]) if name else len(cells) + 1
            text = _get_value(cell, texts)
            if not text:
                continue
            cells_count, characters = cells_count + max(column - len(cells), 0), characters + len(text)
            if column > MAX_COLUMN or cells_count > MAX_CELLS or characters > MAX_CHARACTERS:
                raise BadRequest(TOO_LARGE)
            cells.extend([""] * (column - len(cells)))
            cells[column - 1] = text
        rows.append((number, cells))
    return rows


def _iterate(archive: zipfile.ZipFile, part: str, name: str) -> Iterator[Element]:
    """Yield the elements of one name of a part; nothing if the archive has no such part.

    A part with a document type is refused, because only that can define entities.
    """
    if part not in archive.NameToInfo:
        return
    if archive.getinfo(part).compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BadRequest(UNREADABLE)
    # The size that the archive states may be wrong.
    with archive.open(part) as file:
        content = file.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES or content.count(b"<") > MAX_TAGS:
        raise BadRequest(TOO_LARGE)
    if b"\0" in content or b"<!DOCTYPE" in content:
        raise BadRequest(UNREADABLE)
    for _, element in iterparse(io.BytesIO(content)):  # noqa: S314 - bounded, and without entities
        if element.tag.rpartition("}")[2] == name:
            yield element
            element.clear()


def _get_value(cell: Element, texts: list[str]) -> str:
    kind, text = cell.get("t", "n"), ""
    for child in cell:
        if child.tag.endswith("}v"):
            text = child.text or ""
        elif kind == "inlineStr" and child.tag.endswith("}is"):
            return _get_text(child)
    match kind:
        case "s":
            return texts[int(text)] if text.isdecimal() and int(text) < len(texts) else ""
        case "b":
            return "true" if text == "1" else "false"
        case "n" if text and not PLAIN_NUMBER.fullmatch(text):
            # Spreadsheets store 4.2 as 4.2000000000000002.
            return format(Decimal(repr(float(text))).normalize(), "f")
    return text


def _get_text(element: Element) -> str:
    """Return a text with its runs, without phonetic hints."""
    return "".join(part.text or "" for run in (element, *element.iterfind("{*}r")) for part in run.iterfind("{*}t"))


@lru_cache(MAX_COLUMN)
def _to_number(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
