"""Lines as rows of the paper: wrapped, and free of whatever a printer would take for a command."""

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from comanda_printing.services.layouts.elements import Control, Line, Paper, QrCode, Slip

RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}
MIN_TEXT_COLUMNS: Final = 8


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its text with the style of its line, and what stands at the other edge."""

    line: Line
    columns: int

    @property
    def is_right_to_left(self) -> bool:
        """Whether its text is written from right to left."""
        return any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in self.line.text + self.line.right)

    @property
    def text(self) -> str:
        """The row as characters, filled up with spaces between its edges."""
        line, indent = self.line, " " * self.line.indent
        if line.is_centered:
            return line.text.center(self.columns).rstrip()
        return f"{indent}{line.text}{line.right.rjust(self.columns - len(indent) - len(line.text))}".rstrip()


def compose(slip: Slip, paper: Paper) -> Iterator[Row | QrCode | Control]:
    """Yield the rows of a slip, and what is no text."""
    for element in slip:
        if isinstance(element, Line):
            yield from _wrap(element, paper.columns // (2 if element.is_double else 1))
        else:
            yield element


def _wrap(line: Line, columns: int) -> Sequence[Row]:
    right = _clean(line.right)
    room = max(columns - line.indent - (len(right) + 1 if right else 0), MIN_TEXT_COLUMNS)
    texts = [part for given in line.text.splitlines() for part in textwrap.wrap(_clean(given), room)] or [""]
    first = replace(line, text=texts[0], right=right)
    return [Row(first, columns), *(Row(replace(line, text=text, right=""), columns) for text in texts[1:])]


def _clean(text: str) -> str:
    """Return a text without control characters: what guests write must not command a printer."""
    return "".join(sign if unicodedata.category(sign) not in {"Cc", "Cs"} else " " for sign in text)
