"""Slips as pictures."""

import io

from comanda_printing.services.layouts.elements import Control, Line, Paper
from comanda_printing.services.layouts.raster import draw_row, draw_slip, pack
from comanda_printing.services.layouts.rows import Row
from PIL import Image

PAPER = Paper(58, "cp437")


def get_ink(picture):
    """Return the first and the last black column."""
    box = picture.convert("L").point(lambda dot: 255 - dot).getbbox()
    return None if box is None else (box[0], box[2])


def test_text_stands_at_the_left_and_amounts_at_the_right():
    start, end = get_ink(draw_row(Row(Line("Soup", "8.00"), 32), PAPER))

    assert start < 10
    assert end > PAPER.dots - 10


def test_arabic_stands_at_the_right_and_amounts_at_the_left():
    start, end = get_ink(draw_row(Row(Line("شاي"), 32), PAPER))
    mirrored = get_ink(draw_row(Row(Line("شاي", "8.00"), 32), PAPER))

    assert start > PAPER.dots // 2
    assert end > PAPER.dots - 10
    assert mirrored[0] < 10


def test_long_texts_shrink_to_the_paper():
    start, end = get_ink(draw_row(Row(Line("W" * 32, is_bold=True), 32), PAPER))

    assert start >= 0
    assert end <= PAPER.dots


def test_an_inverse_row_is_mostly_black():
    packed = pack(draw_row(Row(Line("VOID", is_inverse=True), 32), PAPER))

    assert sum(byte.bit_count() for byte in packed) > len(packed) * 4


def test_a_slip_is_one_png():
    picture = Image.open(io.BytesIO(draw_slip([Line("Soup"), Control.RULE, Control.CUT], PAPER)))

    assert picture.format == "PNG"
    assert picture.size == (384, 44)
