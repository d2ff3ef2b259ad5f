"""Cells of CSV files for spreadsheets, which would run some texts as formulas."""

import re
from typing import Any, Final

import orjson

# Without it spreadsheets read UTF-8 as the encoding of the computer.
BYTE_ORDER_MARK: Final = "\ufeff"
# Spreadsheets run cells with these prefixes as formulas. Exports put an apostrophe before them, imports remove it.
# An apostrophe that the text itself has there is doubled, so that it stays.
FORMULA_PATTERN: Final = re.compile(r"'*[=+\-@\t\r]")
ESCAPED_FORMULA_PATTERN: Final = re.compile(r"'+[=+\-@\t\r]")


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
