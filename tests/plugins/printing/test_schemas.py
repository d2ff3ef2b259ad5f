"""Addresses of printers."""

import pytest
from comanda_printing.schemas import parse_address


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("192.168.1.50", ("192.168.1.50", 9100)),
        ("192.168.1.50:9101", ("192.168.1.50", 9101)),
        ("fd00::7", ("fd00::7", 9100)),
        ("[fd00::7]:9100", ("fd00::7", 9100)),
    ],
)
def test_addresses_have_a_port_or_the_usual_one(text, parsed):
    assert parse_address(text) == parsed


@pytest.mark.parametrize(
    "text", ["", "printer", "10.0.0.1:80", "10.0.0.1:x", "10.0.0.1:9100:9100", "[::1", "1.2.3.4\n"]
)
def test_other_addresses_are_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        parse_address(text)
