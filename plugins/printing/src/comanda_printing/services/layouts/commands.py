"""Slips as the commands of printers: one encoder for two sets of commands.

Sources: ESC/POS Command Reference for TM printers (Epson); StarPRNT Command Specifications (Star Micronics).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comanda_printing.services.layouts.elements import Control, Paper, QrCode, Slip
from comanda_printing.services.layouts.raster import draw_qr_code, draw_row, pack
from comanda_printing.services.layouts.rows import Row, compose

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands of a family of printers; ``code_pages`` are the numbers of those that it has."""

    start: bytes
    code_page: bytes
    code_pages: Mapping[str, int]
    bold: tuple[bytes, bytes]
    double: tuple[bytes, bytes]
    inverse: tuple[bytes, bytes]
    raster: Callable[[int, int], bytes]
    controls: Mapping[Control, bytes]


def _start_escpos_raster(width_bytes: int, height: int) -> bytes:
    return b"\x1dv0\x00" + width_bytes.to_bytes(2, "little") + height.to_bytes(2, "little")


def _start_starprnt_raster(width_bytes: int, height: int) -> bytes:
    return b"\x1b\x1dS\x01" + width_bytes.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\x00"


ESCPOS: Final = Commands(
    start=b"\x1b@\x1c.",  # FS . leaves the mode for Chinese characters, in which some begin
    code_page=b"\x1bt",
    code_pages={"cp437": 0, "cp850": 2, "cp1252": 16, "cp866": 17, "cp852": 18, "cp858": 19},
    bold=(b"\x1bE\x01", b"\x1bE\x00"),
    double=(b"\x1d!\x11", b"\x1d!\x00"),
    inverse=(b"\x1dB\x01", b"\x1dB\x00"),
    raster=_start_escpos_raster,
    controls={
        Control.CUT: b"\x1dVB\x00",
        Control.OPEN_DRAWER: b"\x1bp\x00\x19\xfa",
        Control.BUZZ: b"\x1b(A\x04\x00\x30\x37\x03\x0a",
    },
)
STARPRNT: Final = Commands(
    start=b"\x1b@",
    code_page=b"\x1b\x1dt",
    code_pages={"cp437": 1, "cp858": 4, "cp852": 5, "cp866": 10, "cp1252": 32},
    bold=(b"\x1bE", b"\x1bF"),
    double=(b"\x1bi\x01\x01", b"\x1bi\x00\x00"),
    inverse=(b"\x1b4", b"\x1b5"),
    raster=_start_starprnt_raster,
    controls={
        Control.CUT: b"\x1bd\x03",
        Control.OPEN_DRAWER: b"\x1b\x07\x0b\x37\x07",
        Control.BUZZ: b"\x1b\x1d\x19\x11\x01\x14\x14\x1b\x1d\x19\x12\x01\x03\x00",
    },
)


def encode(slip: Slip, paper: Paper, commands: Commands) -> bytes:
    """Return a slip as commands. Rows that the code page cannot express are sent as pictures."""
    page = paper.code_page if paper.code_page in commands.code_pages else "cp437"
    parts = [commands.start, commands.code_page, bytes([commands.code_pages[page]])]
    for part in compose(slip, paper):
        if isinstance(part, Row):
            parts.append(_encode_row(part, paper, page, commands))
        elif isinstance(part, QrCode):
            parts.append(_encode_picture(draw_qr_code(part, paper), commands))
        elif part is Control.RULE:
            parts.append(b"-" * paper.columns + b"\n")
        else:
            parts.append(commands.controls[part])
    return b"".join(parts)


def _encode_row(row: Row, paper: Paper, page: str, commands: Commands) -> bytes:
    if row.is_right_to_left:
        return _encode_picture(draw_row(row, paper), commands)
    try:
        encoded = row.text.encode(page)
    except UnicodeEncodeError:
        return _encode_picture(draw_row(row, paper), commands)
    line = row.line
    styles = [(line.is_bold, commands.bold), (line.is_double, commands.double), (line.is_inverse, commands.inverse)]
    for is_on, (before, after) in styles:
        if is_on:
            encoded = before + encoded + after
    return encoded + b"\n"


def _encode_picture(picture: Image.Image, commands: Commands) -> bytes:
    return commands.raster((picture.width + 7) // 8, picture.height) + pack(picture)
