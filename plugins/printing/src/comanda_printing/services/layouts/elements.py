"""The layout language: a slip is a sequence of these elements."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

# Dots of a printer in a millimetre, and in a column of its font; 58 and 80 mm paper are printed 48 and 72 mm wide.
COLUMN_DOTS: Final = 12
PRINTED_DOTS: Final = {58: 384, 80: 576}


@dataclass(frozen=True, slots=True)
class Paper:
    """What a slip is printed on: the width of the paper, and the code page of the printer's characters."""

    width_mm: int
    code_page: str

    @property
    def dots(self) -> int:
        """The printed width in dots."""
        return PRINTED_DOTS[self.width_mm]

    @property
    def columns(self) -> int:
        """The number of characters of a row."""
        return self.dots // COLUMN_DOTS


@dataclass(frozen=True, slots=True)
class Line:
    """A text that wraps; ``right`` stands at the other edge of its first row. ``indent`` is in columns."""

    text: str
    right: str = ""
    is_bold: bool = False
    is_double: bool = False
    is_inverse: bool = False
    is_centered: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code, in the middle."""

    data: str


class Control(Enum):
    """A rule across the paper, and what a printer does besides printing."""

    RULE = "rule"
    CUT = "cut"
    OPEN_DRAWER = "open_drawer"
    BUZZ = "buzz"


Element = Line | QrCode | Control
Slip = Sequence[Element]
