"""Slips as commands, and what a code page lacks as pictures."""

import pytest
from comanda_printing.services.layouts.commands import ESCPOS, STARPRNT, encode
from comanda_printing.services.layouts.elements import Control, Line, Paper, QrCode

from tests.plugins.printing.emulators import read_paper

WIDE, NARROW = Paper(80, "cp858"), Paper(58, "cp858")


@pytest.mark.parametrize("commands", [ESCPOS, STARPRNT])
def test_both_families_print_the_same_rows(commands):
    slip = [
        Line("Soup", "8.00"),
        Line("A title", is_bold=True, is_double=True, is_centered=True),
        Control.RULE,
        Line("a text that is much too long for the narrow paper", "1.00", indent=2),
        QrCode("https://example.com"),
        Control.CUT,
    ]

    rows = read_paper(encode(slip, NARROW, commands))

    assert rows[:5] == [
        "Soup                        8.00",
        "    A title",
        "-" * 32,
        "  a text that is much too   1.00",
        "  long for the narrow paper",
    ]
    assert rows[5].startswith("[384x")


def test_escpos_bytes():
    slip = [Line("é€", is_bold=True), Control.OPEN_DRAWER, Control.CUT]

    assert encode(slip, WIDE, ESCPOS) == b"\x1b@\x1c.\x1bt\x13\x1bE\x01\x82\xd5\x1bE\x00\n\x1bp\x00\x19\xfa\x1dVB\x00"


def test_starprnt_bytes():
    slip = [Line("VOID", is_double=True, is_inverse=True), Control.CUT]

    assert encode(slip, WIDE, STARPRNT) == b"\x1b@\x1b\x1dt\x04\x1b4\x1bi\x01\x01VOID\x1bi\x00\x00\x1b5\n\x1bd\x03"


@pytest.mark.parametrize("text", ["شاي بالنعناع", "🌶 hot", "Борщ", "面"])
def test_what_the_code_page_lacks_is_a_picture_as_wide_as_the_paper(text):
    [row, *_] = read_paper(encode([Line(text, "1.00")], WIDE, ESCPOS))

    assert row == "[576x30]"


def test_another_code_page_prints_its_own_letters():
    document = encode([Line("Борщ")], Paper(80, "cp866"), ESCPOS)

    assert "Борщ".encode("cp866") in document
