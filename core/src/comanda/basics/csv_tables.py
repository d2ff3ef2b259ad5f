"""Tables that people bring: CSV as spreadsheets and other systems write it, and the first sheet of a workbook.

Cells are counted before anything is parsed, and those of a line before it is, because the beginning of a table is read
in the processes that take orders.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import orjson

from comanda.basics.errors import BadRequest, ValidationFailed
from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    from comanda.basics import workbooks
else:
    # Few files are workbooks.
    workbooks = LazyModule("comanda.basics.workbooks")

MAX_COLUMNS: Final = 200
MAX_ROWS_ABOVE: Final = 20
MAX_CELLS: Final = 1_000_000
MAX_CELLS_PER_LINE: Final = 10_000
DELIMITERS: Final = (",", ";", "\t", "|")
# Some codecs take quadratic time or read other things than text, so that only these are taken. What is called Latin 1
# is what Windows calls so.
CODECS: Final = {
    "utf-8": "utf-8-sig", "utf-16": "utf-16", "ascii": "ascii", "iso8859-1": "cp1252",
    **{name: name for name in ("utf-16-le", "utf-16-be", "iso8859-2", "iso8859-15", "mac-roman")},
    **{f"cp{page}": f"cp{page}" for page in range(1250, 1259)},
}  # fmt: skip
WINDOWS_CHARSET: Final = "cp1252"
CHARSET_NAME: Final = re.compile(r"[\w-]{1,30}", re.ASCII)
ARCHIVE_SIGNATURE: Final = b"PK\x03\x04"
UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# The line in which a spreadsheet names the delimiter, such as sep=;
DELIMITER_LINE: Final = re.compile(r"sep=([^\r\n\"])[\r\n]*")
# Without it spreadsheets read UTF-8 as the encoding of the computer.
BYTE_ORDER_MARK: Final = "\ufeff"
# Spreadsheets run cells with these prefixes as formulas. Exports put an apostrophe before them, imports remove it.
# An apostrophe that the text itself has there is doubled, so that it stays.
FORMULA_PATTERN: Final = re.compile(r"'*[=+\-@\t\r]")
ESCAPED_FORMULA_PATTERN: Final = re.compile(r"'+[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table with its line in the file."""

    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the row of its headings, which is None if there is none, and the rows below it."""

    headings: Row | None
    rows: Iterator[Row]
    has_decimal_comma: bool


def read_table(raw: bytes, charset: str | None = None) -> Table:
    """Return the table of a CSV file or workbook. ``charset`` is the one that the sender named.

    The headings are in the first row with more than one cell among the first 20, as some systems write a title above
    them. Raises ``BadRequest`` for what is no table, and ``ValidationFailed`` with the key ``line.<number>`` for a row
    that cannot be read, also while rows are read.
    """
    if raw.startswith(ARCHIVE_SIGNATURE):
        return _to_table((Row(*row) for row in workbooks.read_workbook(raw)), has_decimal_comma=False)
    text = decode_text(raw, charset or _detect_charset(raw))
    lines = io.StringIO(text, newline="")
    named = DELIMITER_LINE.fullmatch(next(lines, ""))
    if named is None:
        lines.seek(0)
    delimiter = named[1] if named else _detect_delimiter(text)
    if text.count(delimiter) + text.count("\n") + text.count("\r") > MAX_CELLS:
        raise BadRequest(f"A table may have at most {MAX_CELLS:,} cells.")
    rows = _read_rows(lines, delimiter, 1 if named else 0)
    return _to_table(rows, has_decimal_comma=delimiter != ",")


def decode_text(raw: bytes, charset: str | None = None) -> str:
    """Return the text of a file, in UTF-8 unless it is said otherwise.

    Raises ``BadRequest`` with the first line that is not in its encoding.
    """
    name = "utf-16" if raw.startswith(UTF_16_MARKS) else (charset or "utf-8").strip("\"' ").lower()
    try:
        codec = CODECS[codecs.lookup(name).name if CHARSET_NAME.fullmatch(name) else ""]
        return raw.decode(codec)
    except LookupError as error:
        raise BadRequest(f"The charset {name[:50]} is not supported. Save the file as UTF-8 and try again.") from error
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        form = "UTF-8" if raw.lstrip()[:1] in {b"{", b"["} else "CSV UTF-8"
        raise BadRequest(f"Line {line}: this file is not {name.upper()}. Save it as {form} and try again.") from error


def _detect_charset(raw: bytes) -> str | None:
    """Return what programs on Windows write if that is what a file is in and nothing in it is UTF-8, else None."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        if raw.startswith(UTF_16_MARKS) or not raw.decode("utf-8", "ignore").isascii():
            return None
        with suppress(UnicodeDecodeError):
            raw.decode(WINDOWS_CHARSET)
            return WINDOWS_CHARSET
    return None


def _to_table(rows: Iterator[Row], *, has_decimal_comma: bool) -> Table:
    for row in islice(rows, MAX_ROWS_ABOVE):
        filled = [number for number, cell in enumerate(row.cells) if cell.strip()]
        if len(filled) > 1:
            if filled[-1] >= MAX_COLUMNS:
                raise ValidationFailed({f"line.{row.line}": [f"A table may have at most {MAX_COLUMNS} columns."]})
            return Table(Row(row.line, row.cells[: filled[-1] + 1]), rows, has_decimal_comma)
    return Table(None, rows, has_decimal_comma)


def _read_rows(lines: io.StringIO, delimiter: str, line: int) -> Iterator[Row]:
    reader = csv.reader(_check_lines(lines, delimiter, line + 1), delimiter=delimiter, strict=True)
    begin = line + 1
    try:
        for cells in reader:
            yield Row(begin, cells)
            begin = line + reader.line_num + 1
    except csv.Error as error:
        raise ValidationFailed({f"line.{begin}": [f"This row cannot be read: {error}."]}) from error


def _check_lines(lines: io.StringIO, delimiter: str, begin: int) -> Iterator[str]:
    for number, line in enumerate(lines, begin):
        if line.count(delimiter) > MAX_CELLS_PER_LINE:
            raise ValidationFailed({f"line.{number}": [f"A table may have at most {MAX_COLUMNS} columns."]})
        yield line


def _detect_delimiter(text: str) -> str:
    """Return the most frequent delimiter of the first line that has one."""
    counts: Sequence[int] = ()
    for line in io.StringIO(text[:10_000], newline=""):
        counts = [line.count(delimiter) for delimiter in DELIMITERS]
        if any(counts):
            break
    return DELIMITERS[counts.index(max(counts))] if counts else DELIMITERS[0]


def to_cell(value: Any) -> str:
    """Return a value as the text of a cell. Only texts are escaped, so that negative numbers stay numbers."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case dict() | list():
            return orjson.dumps(value).decode()
        case str() if FORMULA_PATTERN.match(value):
            return f"'{value}"
    return str(value)


def from_cell(text: str) -> str:
    """Return the text of a cell without the apostrophe of an escaped formula."""
    return text[1:] if ESCAPED_FORMULA_PATTERN.match(text) else text
