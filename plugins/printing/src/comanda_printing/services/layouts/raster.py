"""Rows as pictures, for what a printer's characters lack, for previews, and for printers that take pictures."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import segno
from comanda.basics import BOLD_FONT, REGULAR_FONT, LazyModule

from comanda_printing.services.layouts.elements import COLUMN_DOTS, Control, Paper, QrCode, Slip
from comanda_printing.services.layouts.rows import Row, compose

if TYPE_CHECKING:
    from PIL import Image, ImageChops, ImageDraw, ImageFont
else:
    # A server draws nothing before the first slip.
    Image, ImageChops = LazyModule("PIL.Image"), LazyModule("PIL.ImageChops")
    ImageDraw, ImageFont = LazyModule("PIL.ImageDraw"), LazyModule("PIL.ImageFont")

ROW_DOTS: Final = 30
FONT_DOTS: Final = 22
RULE_DOTS: Final = 14
QR_MODULE_DOTS: Final = 6
# Of pictures with one bit a dot.
BLACK, WHITE = 0, 255


@lru_cache(maxsize=16)
def _load_font(dots: int, *, is_bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BOLD_FONT if is_bold else REGULAR_FONT, dots)


def draw_row(row: Row, paper: Paper) -> Image.Image:
    """Draw a row; one in a script from right to left has its edges exchanged."""
    line, scale = row.line, 2 if row.line.is_double else 1
    picture = Image.new("1", (paper.dots, ROW_DOTS * scale), WHITE)
    draw = ImageDraw.Draw(picture)
    indent = line.indent * COLUMN_DOTS * scale
    right, room = _name_missing(line.right), paper.dots - indent
    font = _fit(right, FONT_DOTS * scale, room, is_bold=line.is_bold)
    right_width = _draw(draw, right, font, 0 if row.is_right_to_left else paper.dots, is_end=not row.is_right_to_left)
    text = _name_missing(line.text)
    font = _fit(text, FONT_DOTS * scale, room - right_width - (COLUMN_DOTS if right else 0), is_bold=line.is_bold)
    if line.is_centered:
        _draw(draw, text, font, (paper.dots - int(font.getlength(text))) // 2)
    elif row.is_right_to_left:
        _draw(draw, text, font, paper.dots - indent, is_end=True)
    else:
        _draw(draw, text, font, indent)
    return ImageChops.invert(picture) if line.is_inverse else picture


def draw_qr_code(code: QrCode, paper: Paper) -> Image.Image:
    """Draw a QR code in the middle of the paper."""
    modules = [list(row) for row in segno.make_qr(code.data, error="m").matrix_iter(border=2)]
    drawn = Image.new("1", (len(modules), len(modules)), WHITE)
    drawn.putdata([BLACK if module else WHITE for row in modules for module in row])
    scale = max(1, min(QR_MODULE_DOTS, paper.dots // len(modules)))
    drawn = drawn.resize((len(modules) * scale, len(modules) * scale), Image.Resampling.NEAREST)
    picture = Image.new("1", (paper.dots, drawn.height), WHITE)
    picture.paste(drawn, ((paper.dots - drawn.width) // 2, 0))
    return picture


def draw_slip(slip: Slip, paper: Paper) -> bytes:
    """Return a slip as a PNG."""
    pictures = list(_draw_parts(slip, paper))
    sheet = Image.new("1", (paper.dots, max(1, sum(picture.height for picture in pictures))), WHITE)
    top = 0
    for picture in pictures:
        sheet.paste(picture, (0, top))
        top += picture.height
    written = io.BytesIO()
    sheet.save(written, "PNG")
    return written.getvalue()


def pack(picture: Image.Image) -> bytes:
    """Return the dots of a picture as printers take them: black is 1, eight dots a byte, each row begins a byte."""
    return bytes(byte ^ 0xFF for byte in picture.tobytes())


def _draw_parts(slip: Slip, paper: Paper) -> Iterator[Image.Image]:
    for part in compose(slip, paper):
        if isinstance(part, Row):
            yield draw_row(part, paper)
        elif isinstance(part, QrCode):
            yield draw_qr_code(part, paper)
        elif part is Control.RULE:
            rule = Image.new("1", (paper.dots, RULE_DOTS), WHITE)
            ImageDraw.Draw(rule).line((0, RULE_DOTS // 2, paper.dots, RULE_DOTS // 2), BLACK, 2)
            yield rule


def _draw(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, x: int, *, is_end: bool = False) -> int:
    width = int(font.getlength(text) + 0.5)
    draw.text((x - width if is_end else x, 2), text, BLACK, font)
    return width


def _fit(text: str, dots: int, room: int, *, is_bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font in which a text fits into a row, as the letters of this one differ in width."""
    font = _load_font(dots, is_bold=is_bold)
    width = font.getlength(text)
    return font if width <= room else _load_font(max(8, int(dots * room / width)), is_bold=is_bold)


def _name_missing(text: str) -> str:
    """Return a text with the names of signs that the font lacks, such as ``(hot pepper)``."""
    return "".join(_name_sign(sign) for sign in text)


@lru_cache(maxsize=1000)
def _name_sign(sign: str) -> str:
    if sign.isascii() or unicodedata.category(sign) in {"Mn", "Cf"}:
        return "" if sign in "\ufe0f\u200d" else sign
    font = _load_font(FONT_DOTS, is_bold=False)
    if bytes(font.getmask(sign)) != bytes(font.getmask("\U0010ffff")):
        return sign
    return f"({unicodedata.name(sign, '?').lower()})"
