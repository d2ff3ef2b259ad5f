"""Rows of a paper."""

from comanda_printing.services.layouts.commands import ESCPOS, encode
from comanda_printing.services.layouts.elements import Line, Paper

WIDE = Paper(80, "cp858")


def test_no_text_is_a_command():
    document = encode([Line("a\x1bp\x00b\x1d\x07", "\x1b@")], WIDE, ESCPOS)

    assert document.count(b"\x1b") == 2
    assert b"\x07" not in document
