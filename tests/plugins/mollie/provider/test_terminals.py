"""Mollie's terminals, with Mollie's library in between, pass what all card readers have to pass."""

from comanda.devkit.testing import CardReaderSuite


class TestTerminals(CardReaderSuite):
    pass
